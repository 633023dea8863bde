/* A submission server as sink of mail. */
#pragma once

#include "mail/transport/transport.h"

/* After a crash the mails of the last window may be sent a second time, so a window must be
 * small.  Each window costs the outbox one fsync, which is little beside 16 mails over a
 * network. */
#define SINK_SMTP_WINDOW 16

/* Opens a submission server (RFC 6409) over TLS as *out; acc is copied.  It connects when the
 * first mail is sent and stays connected until it is closed, and it opens a second connection
 * only when a window has mails enough for it.  A mail gets ERR_PERM when the server refuses it
 * for good, or when an address could be misread by a server.  ERR_BAD: a user without password
 * and token. */
int sink_smtp_open(const struct mail_account *acc, struct mail_sink *out, struct err *e);
