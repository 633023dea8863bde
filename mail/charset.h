/* Foreign charsets become UTF-8, and only by a list: a mail names its charset
 * itself, and iconv knows names that are no charset at all. */
#ifndef MAIL_CHARSET_H
#define MAIL_CHARSET_H

#include <stddef.h>

#include "pbm/base/mem.h"

/* bytes as valid UTF-8 in the arena, whatever they are.  A charset that is
 * NULL or not on the list counts as UTF-8 if bytes are that, else as
 * windows-1252.  CR LF and CR become LF, other control characters go. */
char *charset_to_utf8(struct arena *a, const char *charset, const char *bytes, size_t n);

#endif
