/* An IMAP mailbox as source of mail. */
#ifndef MAIL_TRANSPORT_SOURCE_IMAP_H
#define MAIL_TRANSPORT_SOURCE_IMAP_H

#include "mail/transport/stream.h"
#include "mail/transport/transport.h"

/* A folder of an IMAP mailbox, INBOX unless acc names one, by UID.  Takes no notice of
 * \Seen; skips what is marked \Deleted.  Settled mails move to Processed (and become
 * \Seen) or Quarantine: beside INBOX, or below another folder.  Connects at the first
 * mail; acc is copied.  ERR_BAD: the folder's name is not ASCII (write it in the modified
 * UTF-7 of RFC 3501 §5.1.3). */
int source_imap_open(const struct mail_account *acc, struct mail_source *out, struct err *e);

/* The same over another kind of connection, for tests. */
int source_imap_over(mail_connect *connect, const struct mail_account *acc, struct mail_source *out,
                     struct err *e);

#endif
