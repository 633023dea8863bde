/* Reads mail from a folder of an IMAP mailbox.  Settled mails move to other folders;
 * mails marked \Deleted are skipped, and the mark \Seen does not matter. */
#pragma once

#include "mail/transport/stream.h"
#include "mail/transport/transport.h"

/* Gives the mails of acc's folder (INBOX if it names none) in the order of their UIDs.
 * Settled mails move to Processed, and become \Seen, or to Quarantine; these two are
 * beside INBOX, or below any other folder.  Copies acc; connects at the first mail.
 * ERR_BAD: the folder's name is not ASCII (it must be written in the modified UTF-7 of
 * RFC 3501 §5.1.3) or too long. */
int source_imap_open(const struct mail_account *acc, struct mail_source *out, struct err *e);

/* The same with another way to connect, for tests. */
int source_imap_over(mail_connect *connect, const struct mail_account *acc, struct mail_source *out,
                     struct err *e);

/* Gives the newest mails of the folder Processed alone, at most so many, to look at. */
int source_imap_filed(const struct mail_account *acc, uint32_t newest, struct mail_source *out,
                      struct err *e);
