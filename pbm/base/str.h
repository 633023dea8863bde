/* A string that grows up to the limit given to str_init(), or that fills a fixed
 * buffer.  Text beyond the limit is dropped and .truncated is set, so that a
 * writer can check once at the end.  Always NUL-terminated. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"

struct str {
	char *data;
	size_t len; /* bytes, without the NUL */
	size_t cap; /* bytes at data, the NUL included */
	size_t max; /* cap never exceeds it; a fixed buffer has max == cap */
	bool fixed;
	bool truncated;
	struct arena *arena; /* has the bytes; NULL: the heap, or the caller */
};

/* Initialises a string on the caller's char array; nothing to release. */
#define STR_FIXED(buf)                                                                             \
	{                                                                                          \
		.data = ((buf)[0] = '\0', (buf)), .cap = sizeof(buf), .max = sizeof(buf),          \
		.fixed = true                                                                      \
	}

/* The same on an array of its own, which lives as long as the block. */
#define STR_LOCAL(size)                                                                            \
	{                                                                                          \
		.data = (char[size]){ 0 }, .cap = (size), .max = (size), .fixed = true             \
	}

/* Writes as snprintf() does, into an array that lives as long as the block. */
const char *str_print(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), returns_nonnull));
#define PRINTED(size, ...) str_print((char[size]){ 0 }, size, __VA_ARGS__)

/* A string in an arena: its text lives as long as that, and nothing must be released. */
struct str str_in(struct arena *a, size_t max);
/* On the heap. */
struct str str_heap(size_t max);
void str_init(struct str *s, size_t max);
void str_release(struct str *s);       /* also for a fixed or zeroed string */
void str_clear(struct str *s);         /* keeps the memory */
void str_cut(struct str *s, size_t n); /* back to n bytes that it had before it was truncated */
size_t str_room(const struct str *s);  /* bytes that still fit below the limit */
char *str_detach(struct str *s);       /* heap only; caller frees */

void str_add(struct str *s, const char *text);
void str_add_n(struct str *s, const char *bytes, size_t n);
void str_add_char(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The length of prefix if text begins with it, else 0.  Letters of ASCII count in
 * any case. */
size_t str_prefix(const char *text, const char *prefix);

/* The same for the first prefix of a list that fits.  NULL ends a list. */
size_t str_prefix_any(const char *text, const char *const *list);

/* Is text one of the list?  Letters of ASCII count in any case. */
bool str_is_any(const char *text, const char *const *list);
/* The same for the n bytes at text. */
bool str_is_any_n(const char *text, size_t n, const char *const *list);

/* Does text hold one of the list?  Letters of ASCII count in any case. */
bool str_holds_any(const char *text, const char *const *list);
/* The length of n bytes without those at their end that are among `ends`. */
size_t str_trim(const char *text, size_t n, const char *ends);
/* The length of the one of the list with which the n bytes end, in any case; 0: none. */
size_t str_ends_any(const char *text, size_t n, const char *const *list);

/* Is it a letter of ASCII, or a byte of a character beyond that?  Or a digit. */
bool str_is_letter(char c);
bool str_is_alnum(char c);

/* The number of words, which blanks separate. */
size_t str_count_words(const char *text);

/* The 64 bits of FNV-1a over text.  Not for data that somebody may forge. */
uint64_t str_hash(const char *text);

/* Does the text end with a full stop, or with ! or ? */
bool str_ends_sentence(const char *text);
