/* Quotations of what players wrote. */
#include <ctype.h>
#include <string.h>

#include "mail/plain.h"
#include "pbm/answer/view.h"
#include "pbm/base/utf8.h"
#include "pbm/text/text.h"

#define QUOTED_MAX 4000 /* bytes of somebody's text */
#define QUOTED_COLUMNS (TEXT_QUOTED - strlen("| "))

/* Characters that a mail program shows as the end of a line, so that what follows would
 * stand without the mark of a quotation. */
static bool ends_line(uint32_t c)
{
	return c == '\v' || c == '\f' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/* May a line end at the character?  No blank keeps words together in a line that is too long. */
static bool is_blank(uint32_t c)
{
	char wide[2];
	const char *ascii = plain_of(c, wide);

	return ascii && *ascii == ' ';
}

/* Does the text go on within a sentence, as in lines that a mail program has filled?  "b)" is of a list. */
static bool goes_on(const char *text)
{
	return islower((unsigned char)*text) && !(text[1] && strchr(").", text[1]));
}

/* A player's text, not too long, in lines that end with "\n" only, and with plain blanks.  A line that
 * has to be broken takes in the next one of its sentence. */
static const char *plain_lines(struct request *q, const char *text)
{
	size_t n = text_cut(text, QUOTED_MAX), line = 0;
	struct str s = str_in(q->arena, 2 * QUOTED_MAX);

	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t len = utf8_decode(text + i, n - i, &c);
		bool ends = c == '\n' || ends_line(c);

		i += len;
		if (ends && (!goes_on(text + i) ||
		             utf8_columns(s.data + line, s.len - line) <= QUOTED_COLUMNS)) {
			str_add_char(&s, '\n');
			line = s.len;
		} else if (ends) {
			str_add(&s, s.len && s.data[s.len - 1] == ' ' ? "" : " ");
			line = s.len;
		} else if (is_blank(c)) {
			str_add_char(&s, ' ');
		} else {
			text_straight(text + i - len, len, &s);
		}
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
	text_fill_within(text, QUOTED_COLUMNS, &filled);
	for (const char *p = filled.data; *p;) {
		size_t n = strcspn(p, "\n");

		str_addf(&out, "%s| %.*s", out.len ? "\n" : "", (int)n, p);
		p += n + (p[n] == '\n');
	}
	return out.data;
}
