/* The distance between two words, for "did you mean". */
#ifndef PBM_BASE_DISTANCE_H
#define PBM_BASE_DISTANCE_H

#include <stddef.h>

/* Damerau-Levenshtein distance (neighbours swapped count 1), letter case
 * ignored.  Only the first 31 bytes of a word count. */
size_t word_distance(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
