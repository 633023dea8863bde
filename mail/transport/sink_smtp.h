/* A submission server as sink of mail. */
#ifndef MAIL_TRANSPORT_SINK_SMTP_H
#define MAIL_TRANSPORT_SINK_SMTP_H

#include "mail/transport/transport.h"

/* A submission server (RFC 6409) over TLS.  acc is copied.  Connects when there is
 * something to send, stays connected until it is closed, and opens more than one
 * connection only for a full window.  Addresses a server could misread are
 * ERR_PERM, as is what it refuses for ever. */
int sink_smtp_open(const struct mail_account *acc, struct mail_sink *out, struct err *e);

#endif
