/* The distance between two words, for "did you mean". */
#pragma once

#include <stddef.h>

/* Damerau-Levenshtein distance (neighbours swapped count 1), letter case
 * ignored.  Only the first 31 bytes of a word count. */
size_t word_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/* The word of a table that a misspelt word probably means.  A row has so many bytes, its first
 * field is a word; a row without a word ends the table.  NULL: no word is near. */
const char *word_nearest(const char *typed, const void *rows, size_t size, size_t n);
