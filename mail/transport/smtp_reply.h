/* Reads the replies of an SMTP server (RFC 5321 §4.2) from bytes as they come in.  A reply of
 * more than SMTP_REPLY_MAX bytes is an error. */
#pragma once

#include <stddef.h>

#include "pbm/base/err.h"

#define SMTP_REPLY_MAX 16384

struct smtp_reply {
	int code;       /* 200 to 599 */
	char text[300]; /* the words of all lines, joined by spaces; printable ASCII */

	/* State while the reply is not complete. */
	size_t bytes, line_len;
	char line[512]; /* the beginning of the current line */
	size_t text_len;
};

/* Takes bytes from s up to the end of a reply.  1: r has the reply, which ended *used bytes
 * after s; 0: all n bytes were taken and more must come; ERR_BAD: this is no SMTP, close the
 * connection.  The call after a 1 begins the next reply. */
int smtp_reply_read(struct smtp_reply *r, const char *s, size_t n, size_t *used, struct err *e);
