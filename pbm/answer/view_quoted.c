/* Quotations of what players wrote. */
#include <string.h>

#include "pbm/answer/view.h"
#include "pbm/base/utf8.h"
#include "pbm/text/text.h"

#define QUOTED_MAX 4000 /* bytes of somebody's text */

/* Characters that a mail program shows as the end of a line, so that what follows would
 * stand without the mark of a quotation. */
static bool ends_line(uint32_t c)
{
	return c == '\v' || c == '\f' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/* A player's text, not too long, in lines that end with "\n" only. */
static const char *plain_lines(struct request *q, const char *text)
{
	size_t n = text_cut(text, QUOTED_MAX);
	struct str s = str_in(q->arena, 2 * QUOTED_MAX);

	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t len = utf8_decode(text + i, n - i, &c);

		if (ends_line(c))
			str_add_char(&s, '\n');
		else
			text_straight(text + i, len, &s);
		i += len;
	}
	if (text[n])
		str_add(&s, " [...]");
	return s.data;
}

const char *view_quoted(struct request *q, const char *text)
{
	if (!text || !*text)
		return NULL;
	text = plain_lines(q, text);
	struct str filled = str_in(q->arena, 65536), out = str_in(q->arena, 131072);
	text_fill(text, &filled);
	for (const char *p = filled.data; *p;) {
		size_t n = strcspn(p, "\n");

		str_addf(&out, "%s| %.*s", out.len ? "\n" : "", (int)n, p);
		p += n + (p[n] == '\n');
	}
	return out.data;
}
