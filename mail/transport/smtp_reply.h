/* The replies of an SMTP server (RFC 5321 §4.2), out of bytes as they come in.
 * Whatever a server sends, at most SMTP_REPLY_MAX bytes are one reply. */
#ifndef MAIL_TRANSPORT_SMTP_REPLY_H
#define MAIL_TRANSPORT_SMTP_REPLY_H

#include <stddef.h>

#include "pbm/base/err.h"

#define SMTP_REPLY_MAX 16384

struct smtp_reply {
	int code;       /* 200 to 599 */
	char text[300]; /* the words of all its lines in one, printable ASCII */

	/* Of a reply that is not complete yet. */
	size_t bytes, line_len;
	char line[512]; /* what is longer counts, but is not kept */
	size_t text_len;
};

/* Takes bytes from s up to the end of a reply.  1: r has it, and *used bytes are
 * gone; 0: all n are gone, more must come; ERR_BAD: this is no SMTP, the
 * connection is good for nothing.  The call after a 1 begins the next reply. */
int smtp_reply_read(struct smtp_reply *r, const char *s, size_t n, size_t *used, struct err *e);

#endif
