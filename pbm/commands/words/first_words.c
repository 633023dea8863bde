#include "pbm/commands/words/first_words.h"

#include <ctype.h>
#include <string.h>

#include "pbm/base/str.h"

size_t first_words_phrase(const char *s, const char *const *table)
{
	size_t best = 0;

	for (; *table; table++) {
		size_t n = str_prefix(s, *table);

		if (n <= best || isalnum((unsigned char)s[n]))
			continue;
		bool ascii = (unsigned char)s[n - 1] < 0x80;
		if (!ascii || (unsigned char)s[n] < 0x80)
			best = n;
	}
	return best;
}

bool first_words_has(const char *const *table, const char *word)
{
	return str_is_any_n(word, strcspn(word, ".,;:!?"), table);
}

bool first_words_any(const struct words *w, const char *const *table)
{
	for (size_t i = 0; i < w->n; i++)
		if (first_words_has(table, w->v[i].text))
			return true;
	return false;
}
