/* UTF-8, the only charset inside the program. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Well-formed by RFC 3629: no overlong forms, no surrogates, no NUL. */
bool utf8_valid(const char *s, size_t n);

/* Decodes one character at s (n bytes left, n > 0) into *out; returns its
 * length in bytes.  A malformed byte counts as one byte and gives U+FFFD. */
size_t utf8_decode(const char *s, size_t n, uint32_t *out);

/* The number of characters in n bytes. */
size_t utf8_count(const char *s, size_t n);

/* The columns that they take: those of Chinese, Japanese and Korean, and pictures, two. */
size_t utf8_columns(const char *s, size_t n);

/* Writes c (a scalar value) to out, at most 4 bytes, without a NUL.  Returns the
 * number of bytes. */
size_t utf8_encode(uint32_t c, char *out);

/* The length of the longest beginning of s that has at most max bytes and ends on
 * a character boundary. */
size_t utf8_cut(const char *s, size_t n, size_t max);

/* Removes malformed bytes from s, in place.  A text that was cut inside a
 * character ends in such bytes. */
void utf8_scrub(char *s);
