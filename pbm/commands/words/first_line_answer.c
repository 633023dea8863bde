/* Friendly answers to offers and requests: "sure, let us play", "no, thank you". */
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/text/words.h"

#define MARKS " ,.!;:()-\n"
#define PRAISE_MAX 300 /* bytes */

/* A question, a number, a turn, a pause, a picture, or more than a line. */
static bool is_more(const char *line)
{
	for (const unsigned char *p = (const unsigned char *)line; *p; p++)
		if (*p >= 0xf0 || (*p == 0xe2 && p[1] >= 0x86))
			return true;
	return strlen(line) > FIRST_LINE_SIMPLE - 4 || line[strcspn(line, "?0123456789")] ||
	       strstr(line, "\uff1f") || strcasestr(line, "o-o") || strstr(line, "..") ||
	       strstr(line, "\u2026");
}

/* The answers so far. */
struct said {
	bool yes, no, sorry;
};

/* The words that a yes may have beside "ok": none; gladness; the wish to play. */
enum width { MERE, GLADLY, PLAY };

/* The longest phrase at s that means yes, no or nothing but courtesy; 0: the word is none. */
static size_t take_phrase(const char *s, const char *const names[], enum width width,
                          struct said *out)
{
	const char *const *const tables[] = {
		first_words_courtesy, first_words_greeting, names,
		first_words_no,       first_words_sorry,    first_words_yes,
		first_words_vague,    first_words_gladly,   first_words_play
	};
	size_t best = 0, longest = 0, count = sizeof tables / sizeof *tables - PLAY + width;

	for (size_t i = 0; i < count; i++) {
		size_t n = first_words_phrase(s, tables[i]);

		/* "tak" is yes and thanks: thanks only after a no. */
		if (n > longest || (n && n == longest && !out->no)) {
			longest = n;
			best = i;
		}
	}
	out->no |= longest && best == 3;
	out->sorry |= longest && best == 4;
	out->yes |= longest && best > 4;
	return longest;
}

/* "dear grandma": two words.  German "lieber" means "rather", too. */
static size_t take_vocative(const char *s)
{
	static const char *const dear[] = { "dear", "liebe", "cher",    "chère", "querido",
		                            "caro", "cara",  "querida", NULL };
	size_t n = first_words_phrase(s, dear), blank = strspn(s + n, " ");
	size_t name = strcspn(s + n + blank, MARKS);

	return n && blank && name ? n + blank + name : 0;
}

static enum first_answer read_answer(const char *line, const char *const names[], enum width width)
{
	static const char *const nobody[] = { NULL };
	char text[FIRST_LINE_SIMPLE];
	struct said said = { 0 };

	if (is_more(line))
		return FIRST_NEITHER;
	first_line_simplify(line, text);
	for (const char *s = text + strspn(text, MARKS); *s; s += strspn(s, MARKS)) {
		size_t n = take_phrase(s, names ? names : nobody, width, &said);

		size_t dear = said.yes ? take_vocative(s) : 0;
		n = dear > n ? dear : n;
		if (n == 0 && s > text)
			n = first_words_phrase(s, first_words_closing);
		if (n == 0)
			return FIRST_NEITHER;
		s += n;
	}
	if (said.yes == said.no || (said.yes && said.sorry))
		return FIRST_NEITHER;
	return said.yes ? FIRST_YES : FIRST_NO;
}

enum first_answer first_line_answers(const char *line, const char *const names[], bool offer)
{
	return read_answer(line, names, offer ? PLAY : GLADLY);
}

bool first_line_is_mere_yes(const char *line, const char *const names[])
{
	return read_answer(line, names, MERE) == FIRST_YES;
}

/* Is the rest of a small line a closing formula, perhaps with one or two words of a name:
 * "lg alice"? */
static bool is_signed(const char *s)
{
	size_t n = first_words_phrase(s, first_words_closing), words = 0;

	if (first_words_phrase(s, first_words_farewell)) /* for a person, not for a question */
		return false;

	for (s += n + strspn(s + n, MARKS); n && *s; words++) {
		if (first_words_phrase(s, first_words_but))
			return false;
		s += strcspn(s, MARKS);
		s += strspn(s, MARKS);
	}
	return n && words <= 2;
}

bool first_line_says_yes(const char *line)
{
	char s[FIRST_LINE_SIMPLE];
	bool yes = false;

	if (strlen(line) > FIRST_LINE_SIMPLE - 4 || strchr(line, '?') || strstr(line, "\uff1f"))
		return false;
	first_line_simplify(line, s);
	const char *p = s;
	/* "Hello, yes" */
	size_t greeting = first_words_phrase(p, first_words_greeting);
	if (greeting && p[strcspn(p, ",!.")])
		p += strcspn(p, ",!.") + 1;
	for (p += strspn(p, MARKS); *p; p += strspn(p, MARKS)) {
		size_t n = first_words_phrase(p, first_words_yes);

		yes = yes || n;
		/* "is that ok" is a question; "I agree" is a yes. */
		if (n == 0 && (yes || str_prefix(p, "i ")))
			n = first_words_phrase(p, first_words_after_yes);
		if (n == 0 && yes && is_signed(p))
			return true;
		if (n == 0)
			return false;
		p += n;
	}
	return yes;
}

bool first_line_says_no(const char *line)
{
	char s[FIRST_LINE_SIMPLE];
	const char *p = s;

	first_line_simplify(line, s);
	while (first_words_phrase(p, first_words_please) ||
	       first_words_phrase(p, first_words_sorry)) {
		size_t n = first_words_phrase(p, first_words_please);

		p += n ? n : first_words_phrase(p, first_words_sorry);
		p += strspn(p, MARKS);
	}
	return !first_words_phrase(p, first_words_gladly) &&
	       (first_words_phrase(p, first_words_no) || first_words_phrase(p, first_words_cancel));
}

/* After "thanks": skips how much, or what for, up to the end of the sentence. */
static size_t take_reason(const char *s)
{
	static const char *const words[] = { "for", "für", "pour", "por", "per", NULL };
	static const char *const much[] = { "and",   "und",     "et",   "y",    "again",
		                            "a lot", "so much", "very", "much", NULL };

	return first_words_phrase(s, words) ? strcspn(s, ".!;\n") : first_words_phrase(s, much);
}

/* The last word of a text, which may be its writer's name, and is no command nor a wish ("bórrame",
 * "cancel"); else 0. */
static size_t take_name(const char *s)
{
	size_t n = strcspn(s, MARKS);

	return !s[n + strspn(s + n, MARKS)] && !command_find(s, n, NULL) && !did_you_mean_said(s) &&
	                       !first_words_phrase(s, first_words_cancel)
	               ? n
	               : 0;
}

bool first_line_is_thanks(const char *text)
{
	static const char *const *const tables[] = { first_words_courtesy, first_words_thanks,
		                                     first_words_noted, first_words_greeting,
		                                     first_words_closing };
	char simple[FIRST_LINE_SIMPLE];
	bool thanks = false, asks = false;

	if (is_more(text))
		return false;
	first_line_simplify(text, simple);
	for (const char *s = simple + strspn(simple, MARKS); *s; s += strspn(s, MARKS)) {
		size_t n = thanks ? take_reason(s) : 0;

		for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
			size_t m = first_words_phrase(s, tables[i]);

			thanks |= m && i < 3;
			n = m > n ? m : n;
		}
		if (n == 0 && thanks && !asks && !first_words_phrase(s, first_words_more))
			n = take_name(s);
		if (n == 0)
			return false;
		asks = first_words_phrase(s, first_words_please) == n; /* "please explain" */
		s += n;
	}
	return thanks;
}

/* "Stop by some day", "more!", "cancel" */
static bool asks_for_act(const char *s)
{
	const struct command *c = command_find(s, strcspn(s, MARKS), NULL);
	size_t more = first_words_phrase(s, first_words_more);

	more = more ? more : first_words_phrase(s, first_words_cancel);
	return (c && (c->flags & CMD_PROOF)) || (more && (!s[more] || strchr(".!,\n", s[more])));
}

bool first_line_is_praise(const char *text)
{
	bool thanks = false, begins = true;

	if (strlen(text) > PRAISE_MAX || text[strcspn(text, "?0123456789@")])
		return false;
	for (const char *s = text + strspn(text, MARKS); *s;) {
		bool thanked = first_words_phrase(s, first_words_thanks) > 0;

		if (first_words_phrase(s, first_words_polite) || first_line_says_but(s) ||
		    (begins && !thanked && asks_for_act(s)))
			return false;
		thanks |= thanked;
		s += strcspn(s, MARKS);
		begins = thanked || strcspn(s, ",.!;:\n") < strspn(s, MARKS);
		s += strspn(s, MARKS);
	}
	return thanks;
}

bool first_line_is_chatter(struct arena *a, const char *text)
{
	static const char *const *const limits[] = { first_words_but, first_words_or,
		                                     first_words_no, first_words_polite,
		                                     first_words_terms };
	struct words w;

	if (strlen(text) > PRAISE_MAX || text[strcspn(text, "?0123456789@")])
		return false;
	words_split(a, text, &w);
	for (size_t i = 0; i < w.n; i++) {
		size_t n = strcspn(w.v[i].text, MARKS);

		if (rules_named(w.v[i].text, n))
			return false;
		for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
			if (first_words_phrase(w.v[i].start, limits[k]))
				return false;
	}
	return true;
}
