/* ISO-2022-JP with the characters that Microsoft added to it (ISO-2022-JP-MS, CP50221).
 * The C library has no converter for these, but one for Shift_JIS with the same
 * additions (CP932). */
#ifndef MAIL_CHARSET_JIS_H
#define MAIL_CHARSET_JIS_H

#include <stddef.h>

#include "pbm/base/str.h"

/* Adds n bytes of ISO-2022-JP-MS to out as CP932.  A character of another set becomes
 * "?". */
void charset_jis(const char *bytes, size_t n, struct str *out);

#endif
