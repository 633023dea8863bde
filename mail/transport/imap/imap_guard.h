/* Checks the bytes of an IMAP server before libetpan's parser reads them, and refuses
 * those that would crash or exhaust it: literals larger than the request allows,
 * endless lines, endless lists, NUL bytes, and BYE instead of an answer.  Knows only
 * lines and literals; never understands an answer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define IMAP_LINE_MAX (64 * 1024) /* bytes outside literals */
#define IMAP_LISTS_MAX 500        /* opening parentheses in a line */

/* Zeroed at the beginning of a connection. */
struct imap_guard {
	size_t literal; /* bytes of the current literal still to come */
	size_t line;    /* bytes of the current line so far */
	unsigned lists; /* opening parentheses in it */
	int count;      /* state of the "{12}" that may end it */
	size_t number;  /* the 12 of "{12}" */
	char head[100]; /* the beginning of the line */
	size_t head_len;
	char text[120]; /* room for the text that imap_guard_check() returns */
};

/* Checks the next n bytes of an answer.  The answer may still have budget bytes; these
 * n count.  NULL: the bytes are harmless.  Otherwise the end of a sentence that begins
 * with the server's name ("sends NUL bytes"), valid as long as *g. */
const char *imap_guard_check(struct imap_guard *g, const char *bytes, size_t n, size_t budget);
