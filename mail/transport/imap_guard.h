/* Looks at what an IMAP server sends before the parser sees it, and refuses what
 * that parser does not survive: literals larger than the request allows, lines
 * without end, lists nested without end, NUL bytes, and BYE where an answer
 * should be.  Knows lines and literals, nothing else of the protocol. */
#ifndef MAIL_TRANSPORT_IMAP_GUARD_H
#define MAIL_TRANSPORT_IMAP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#define IMAP_LINE_MAX (64 * 1024) /* bytes outside literals */
#define IMAP_LISTS_MAX 500        /* parentheses opened in a line */

/* Zero-initialised: at the beginning of a connection. */
struct imap_guard {
	size_t literal; /* bytes of it still to come */
	size_t line;    /* bytes of the line so far */
	unsigned lists;
	int count; /* how far a literal's announcement at the line's end is */
	size_t number;
	char head[100]; /* the line's beginning */
	size_t head_len;
	char text[120];
};

/* The next n bytes, of an answer that may still bring budget bytes, these included.
 * NULL when they are fit for the parser, or what is wrong with them, to be put
 * behind the server's name; it is valid until the guard goes. */
const char *imap_guard(struct imap_guard *g, const char *bytes, size_t n, size_t budget);

#endif
