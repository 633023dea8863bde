/* A POP3 mailbox as source of mail. */
#ifndef MAIL_TRANSPORT_SOURCE_POP3_H
#define MAIL_TRANSPORT_SOURCE_POP3_H

#include "mail/transport/stream.h"
#include "mail/transport/transport.h"

/* A POP3 mailbox (RFC 1939), by UIDL, without which it refuses.  Settled mails are
 * deleted, at flush(); large ones that are refused stay.  Connects at the first mail;
 * acc is copied. */
int source_pop3_open(const struct mail_account *acc, struct mail_source *out, struct err *e);

/* The same over another kind of connection, for tests. */
int source_pop3_over(mail_connect *connect, const struct mail_account *acc, struct mail_source *out,
                     struct err *e);

#endif
