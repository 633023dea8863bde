#include "pbm/commands/words/closing.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"

#define NAME_BYTES 40
#define NAME_WORDS 4
#define CARD_BYTES 70
#define CARD_DIGITS 5 /* of a telephone number or a town's */

/* The last line of the text, and where it begins. */
static const char *last_line(struct arena *a, const char *text, size_t *at)
{
	const char *nl = strrchr(text, '\n');

	*at = nl ? (size_t)(nl + 1 - text) : 0;
	const char *line = body_lines_trim(a, text + *at);
	return line ? line : "";
}

/* A name may begin so: a capital, or a letter that is not ASCII. */
static bool is_capital(char c)
{
	return isupper((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Is it a name: one word, or some that begin and end with a capital one? */
static bool is_name(const char *s)
{
	s += strspn(s, " -/~*(");
	if (!*s || strlen(s) > NAME_BYTES || s[strcspn(s, "0123456789?!:;@")])
		return false;
	size_t words = str_count_words(s);
	return words == 1 ||
	       (words <= NAME_WORDS && is_capital(*s) && is_capital(strrchr(s, ' ')[1]));
}

/* "Kind regards", "Viele Grüße aus Berlin", "Best, Alice".  *thanks: it may mean thanks. */
static bool is_closing(const char *line, bool *thanks)
{
	char s[FIRST_LINE_SIMPLE];

	if (strlen(line) > FIRST_LINE_SIMPLE - 4)
		return false;
	first_line_simplify(line, s);
	size_t n = first_words_phrase(s, first_words_closing);
	const char *behind = line + n + strspn(line + n, " ,.!-");
	*thanks = first_words_phrase(s, first_words_thanks) == n;
	if (n == 0 || !s[n])
		return n > 0;
	if (*thanks)
		return false;
	size_t from = first_words_phrase(behind, first_words_from);
	return is_name(behind + from) &&
	       (from || strchr(",.!-", s[n]) || is_capital(*behind)); /* "LG Alice" */
}

bool closing_begins(const char *line)
{
	bool thanks;

	return is_closing(line, &thanks) && !thanks;
}

bool closing_is_card(const char *line)
{
	size_t digits = 0;

	if (strlen(line) > CARD_BYTES || strpbrk(line, "?!") || first_line_says_no(line))
		return false;
	for (const char *p = line; *p; p++)
		digits += isdigit((unsigned char)*p) != 0;
	return is_name(line) || digits >= CARD_DIGITS || strchr(line, '@') || strstr(line, "://") ||
	       strcasestr(line, "www.");
}

/* "-Alice", "// Alice" */
static bool is_dashed_name(const char *line)
{
	return strchr("-/~", *line) && *line && line[1] && is_capital(line[strspn(line, " -/~")]) &&
	       is_name(line);
}

const char *closing_cut(struct arena *a, const char *text, const char *userid)
{
	bool thanks;
	size_t at, above = 0;
	const char *line = last_line(a, text, &at), *upper;

	if (is_closing(line, &thanks) && !thanks)
		return at ? body_lines_trim(a, arena_strndup(a, text, at)) : NULL;
	bool signs = is_dashed_name(line) || (userid && strcasecmp(line, userid) == 0);
	if (at == 0)
		return signs ? NULL : text;
	const char *rest = body_lines_trim(a, arena_strndup(a, text, at));
	upper = rest ? last_line(a, rest, &above) : "";
	if (is_name(line) && is_closing(upper, &thanks))
		return above ? body_lines_trim(a, arena_strndup(a, rest, above)) : NULL;
	return signs ? rest : text;
}
