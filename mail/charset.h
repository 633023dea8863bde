/* Converts the charsets of mails to UTF-8.  Only charsets on our own list reach
 * iconv, because the sender of a mail chooses the name and iconv accepts names that
 * are no charsets.  Conversion never fails: bytes that fit nowhere are replaced. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"

/* Returns bytes as valid UTF-8 in the arena.  If charset is NULL or not on the list,
 * bytes are read as UTF-8 when they are valid UTF-8, else as windows-1252.  CR LF and
 * CR become LF; other control characters but the tab are removed. */
char *charset_to_utf8(struct arena *a, const char *charset, const char *bytes, size_t n);

/* The charsets on the list whose names occur in bytes: a bit each. */
uint64_t charset_find(const char *bytes, size_t n);

/* Opens, for the life of the process, the converters of these charsets.  To be called
 * before the sandbox starts: the C library loads converters from files, and a sandboxed
 * process opens no file.  Without its converter a charset counts as not on the list. */
void charset_load(uint64_t which);
