/* Finds the base64 in a body that a mailing list or a gateway has added plain lines to. */
#ifndef MAIL_BASE64_H
#define MAIL_BASE64_H

#include <stddef.h>

/* Finds the lines of base64 in n bytes: *start is the offset of the first, the result the one
 * after the last.  Both are 0 when there is none.  The base64 ends with its padding, or before
 * the first line that is none. */
size_t base64_find(const char *s, size_t n, size_t *start);

#endif
