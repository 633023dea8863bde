/* A POP3 mailbox as source of mail. */
#pragma once

#include "mail/transport/stream.h"
#include "mail/transport/transport.h"

/* Opens a POP3 mailbox (RFC 1939); acc is copied.  It connects when the first mail is asked for.
 * A server without UIDL is an error.  Settled mails are deleted at flush(); mails that were
 * refused for their size stay.  ERR_BAD: the URL names a folder. */
int source_pop3_open(const struct mail_account *acc, struct mail_source *out, struct err *e);

/* The same over another kind of connection; for tests. */
int source_pop3_over(mail_connect *connect, const struct mail_account *acc, struct mail_source *out,
                     struct err *e);
