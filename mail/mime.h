/* From a body to the text that a person wrote.  libetpan takes the structure
 * apart and undoes the transfer encodings; it never sees the mail's own header,
 * only the three fields below. */
#ifndef MAIL_MIME_H
#define MAIL_MIME_H

#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

/* No text is longer than this; the rest is dropped. */
#define MAIL_MAX_TEXT (64 * 1024)

struct mime_header {
	const char *type, *encoding, *disposition;   /* values, or NULL */
};

/* The first text/plain part that says something and is no attachment, else the
 * first text/html part as text; "" when there is neither.  UTF-8, LF.  ERR_LIMIT
 * for a body of too many or too deep parts. */
int mime_text(struct arena *a, const struct mime_header *h, const char *body,
              size_t len, const char **text, struct err *e);

/* format=flowed (RFC 3676): joins what was folded for transport.  delsp: the
 * space at a fold is no part of the text. */
char *flowed_join(struct arena *a, const char *text, int delsp);

#endif
