/* Foreign charsets become UTF-8, and only by a list: a mail names its charset
 * itself, and iconv knows names that are no charset at all. */
#ifndef MAIL_CHARSET_H
#define MAIL_CHARSET_H

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"

/* bytes as valid UTF-8 in the arena, whatever they are.  A charset that is
 * NULL or not on the list counts as UTF-8 if bytes are that, else as
 * windows-1252.  CR LF and CR become LF, other control characters go. */
char *charset_to_utf8(struct arena *a, const char *charset, const char *bytes, size_t n);

/* Converters are files of the C library, read when they are first needed, and a
 * sandbox opens no file.  Opens the one of every charset on the list that bytes
 * speak of, for good; true when there was a new one.  In its absence
 * charset_to_utf8() treats the charset as one that is not on the list. */
bool charset_load(const char *bytes, size_t n);

#endif
