#include "pbm/base/distance.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define WORD_MAX 31

static int fold(char c)
{
	return tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

size_t word_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];
	size_t n = a_len > WORD_MAX ? WORD_MAX : a_len, m = b_len > WORD_MAX ? WORD_MAX : b_len;

	for (size_t i = 0; i <= n; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			bool same = fold(a[i - 1]) == fold(b[j - 1]);

			d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
			    fold(a[i - 2]) == fold(b[j - 1]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1, d[i][j]);
		}
	return d[n][m];
}

const char *word_nearest(const char *typed, const void *rows, size_t size, size_t n)
{
	size_t len = strlen(typed), best = 2 + len / 4;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const char *word = *(const char *const *)(const void *)((const char *)rows +
		                                                        i * size);

		if (!word)
			break;
		bool begins = len >= 3 && strncasecmp(word, typed, len) == 0;
		size_t d = begins ? 1 : word_distance(typed, len, word, strlen(word));

		if (d < best) {
			best = d;
			found = word;
		}
	}
	return found;
}
