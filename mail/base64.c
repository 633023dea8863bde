#include "mail/base64.h"

#include <ctype.h>
#include <stdbool.h>

#include "mail/lines.h"

#define MIN_SURE 16 /* bytes of a line that is no word of a language */

static size_t trimmed(struct line l)
{
	while (l.n && (l.s[l.n - 1] == ' ' || l.s[l.n - 1] == '\t'))
		l.n--;
	return l.n;
}

/* Has the line only characters of base64, and at least one? */
static bool is_base64(struct line l, bool *padded)
{
	size_t n = trimmed(l);

	*padded = n && l.s[n - 1] == '=';
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)l.s[i];

		if (!isalnum(c) && c != '+' && c != '/' && !(c == '=' && i + 2 >= n))
			return false;
	}
	return n > 0;
}

size_t base64_find(const char *s, size_t n, size_t *start)
{
	const char *p = s, *end = s + n, *at = s;
	size_t found = 0;
	struct line l;

	*start = 0;
	for (; line_next(&p, end, &l); at = p) {
		bool padded, sure;

		if (line_is_blank(l))
			continue;
		bool is = is_base64(l, &padded);
		sure = is && (padded || trimmed(l) % 4 == 0 || trimmed(l) >= MIN_SURE);
		if (!found && !sure)
			continue; /* a banner above */
		if (found && !is)
			break;
		if (!found)
			*start = (size_t)(at - s);
		found = (size_t)(p - s);
		if (padded)
			break;
	}
	return found;
}
