#include "mail/lines.h"

#include <string.h>

bool line_next(const char **p, const char *end, struct line *out)
{
	const char *s = *p, *q = s;

	if (s == end)
		return false;
	while (q < end && *q != '\n' && *q != '\r')
		q++;
	*out = (struct line){ s, (size_t)(q - s) };
	if (q < end && *q++ == '\r' && q < end && *q == '\n')
		q++;
	*p = q;
	return true;
}

bool line_is_blank(struct line l)
{
	for (size_t i = 0; i < l.n; i++) {
		if (l.s[i] != ' ' && l.s[i] != '\t')
			return false;
	}
	return true;
}

size_t line_field_name(struct line l, size_t *value)
{
	size_t n = 0;

	while (n < l.n && l.s[n] > ' ' && l.s[n] < 0x7f && l.s[n] != ':')
		n++;
	size_t colon = n;
	while (colon < l.n && (l.s[colon] == ' ' || l.s[colon] == '\t'))
		colon++;
	if (n == 0 || colon == l.n || l.s[colon] != ':')
		return 0;
	*value = colon + 1;
	return n;
}

void line_skip_folded(const char **p, const char *end)
{
	struct line l;

	while (*p < end && (**p == ' ' || **p == '\t'))
		line_next(p, end, &l);
}

bool line_is_mbox(struct line l)
{
	size_t skip = l.n && *l.s == '>';

	return l.n >= skip + 5 && memcmp(l.s + skip, "From ", 5) == 0;
}
