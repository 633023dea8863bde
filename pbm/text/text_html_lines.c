#include "pbm/text/text_html_lines.h"

#include <string.h>

#include "pbm/text/html_escape.h"

bool html_is_blank(const struct html_lines *p, size_t i)
{
	return i >= p->n || p->v[i].n == 0;
}

void html_add_line(const struct html_lines *p, const struct text_line *l)
{
	html_escape(p->out, l->s, l->n);
}

/* Are two columns of the line wide apart?  A sentence ends with two blanks, too. */
bool html_has_gap(const struct text_line *l)
{
	for (size_t i = 1; i + 2 < l->n; i++)
		if (l->s[i] == ' ' && l->s[i + 1] == ' ' &&
		    (l->s[i + 2] == ' ' || !strchr(".:?!", l->s[i - 1])))
			return true;
	return false;
}

/* "8  r n b": a rank of a small board. */
static bool is_rank(const struct text_line *l)
{
	size_t i = 1;

	if (l->n < 6 || l->s[0] < '1' || l->s[0] > '8' || l->s[1] != ' ')
		return false;
	for (i = 2; i + 1 < l->n; i += 2)
		if (!strchr(" *", l->s[i]) || !strchr(".*PNBRQKpnbrqk", l->s[i + 1]))
			return false;
	return i == l->n;
}

bool html_is_drawing(const struct text_line *l)
{
	size_t walls = 0;

	if (is_rank(l))
		return true;
	for (size_t i = 0; i < l->n; i++)
		walls += l->s[i] == '|';
	return walls > 2 || (l->n > 3 && memcmp(l->s, "+--", 3) == 0);
}
