/* POP3 (RFC 1939) over a connection that is in the transaction state already. */
#ifndef MAIL_TRANSPORT_POP3_H
#define MAIL_TRANSPORT_POP3_H

#include <stddef.h>

#include "mail/transport/stream.h"

struct pop3 {
	struct mail_stream stream;
	char buf[4096];
	size_t at, n; /* what has been read of buf, what is in it */
};

/* One command without CRLF, whose whole answer has at most budget bytes.  0: +OK;
 * ERR_PERM: -ERR, the connection goes on; ERR_TEMP: the connection is dead. */
int pop3_command(struct pop3 *p, size_t budget, struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A line of a list.  1: line holds it, without its end; 0: the list is over. */
int pop3_line(struct pop3 *p, char *line, size_t size, struct err *e);

/* A mail to its end, of which at most keep bytes are kept: heap memory with a NUL behind
 * *len bytes. */
int pop3_body(struct pop3 *p, size_t keep, char **bytes, size_t *len, struct err *e);

#endif
