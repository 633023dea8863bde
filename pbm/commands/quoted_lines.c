#include "pbm/commands/quoted_lines.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "mail/plain.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"

#define INDENT 4         /* blanks */
#define TAB 8            /* blanks */
#define PROSE_WORDS 5    /* of a mail that may quote */
#define SPOKEN_WORDS 3   /* of one that does so in quotation marks */
#define ABOVE_WORDS 2    /* of them, above the quoted line: more than a label */
#define GREETING_WORDS 3 /* "Hi, you say that I should write" says more */
#define BELOW_WORDS 3    /* below a line that ends or begins a game: more than "Thanks, Bob" */

struct quoting {
	size_t words, above; /* of prose: in the mail, above its first quoted line */
	size_t indent;       /* of the last line of prose */
	bool closed;         /* the letter has ended: a signature follows */
	bool spoken;         /* a quoted line stands in quotation marks */
	bool grave;          /* the first one ends, begins or declines a game */
	bool bold;           /* ... and stands in stars or the like, as people do for weight */
	bool apart;          /* ... indented, as in our mails, and an empty line follows */
	size_t depth, below; /* ... its indent; words of prose below it */
	bool praised;        /* ... and that begins with praise: "Well played!" */
	bool denied;         /* ... and prose that takes it back or goes on with its sentence */
};

static size_t indent_of(const char *line)
{
	size_t n = 0;

	for (; *line == ' ' || *line == '\t'; line++)
		n += *line == '\t' ? TAB : 1;
	return n;
}

/* The mark around the whole line, which plain_line() takes off; 0: none. */
static char mark_of(struct arena *a, const char *line)
{
	const char *bare = plain_line(a, line);
	const char *marked = plain_line(a, arena_printf(a, "%s|", line));

	return strncmp(marked, bare, strlen(bare)) == 0 ? '\0' : *marked;
}

/* Does the line do what its sender may regret?  A list of players harms nobody. */
static bool does_something(struct request *q, const char *line)
{
	bool digest = q->who.has_token && q->who.token.kind == TOKEN_DIGEST;
	const struct command *c = command_find(line, strcspn(line, " \t"), NULL);

	if (digest && (first_line_is_move(line) || body_lines_behind_board(line)))
		return true;
	return command_is_one(line) && (!c || (c->flags & CMD_PROOF));
}

static bool is_quoted(struct request *q, const char *raw, const char *line, const struct quoting *r)
{
	return (indent_of(raw) >= r->indent + INDENT || mark_of(q->arena, raw)) &&
	       does_something(q, line);
}

static size_t words_of_prose(const char *line)
{
	size_t words = str_count_words(line);

	if (command_is_one(line) || first_line_is_move(line) || body_lines_has_board(line) ||
	    (words <= GREETING_WORDS && first_line_is_greeting(line)))
		return 0;
	return words;
}

/* Does the command end, begin or decline a game? */
static bool is_grave(const char *line)
{
	static const char *const grave[] = { "resign", "abort", "accept", "decline", NULL };
	const char *behind = body_lines_behind_board(line), *s = behind ? behind : line;
	const struct command *c = command_find(s, strcspn(s, " \t"), NULL);

	return c && str_is_any(c->word, grave);
}

/* Begins to look for prose below the first quoted line. */
static void begin_below(struct request *q, const char *raw, const char *line, struct quoting *r)
{
	char mark = mark_of(q->arena, raw);

	r->grave = is_grave(line) && (mark || strncasecmp(line, "decline", 7) != 0);
	r->bold = mark && strchr("*_", mark);
	r->depth = mark ? SIZE_MAX : indent_of(raw);
}

/* Counts prose below it: "is what you told me to write", "Never!", and no thanks.  Below an indented line only
 * what is indented less. */
static void read_below(const char *raw, const char *line, size_t words, struct quoting *r)
{
	if (!r->grave || !words || indent_of(raw) + INDENT > r->depth || r->praised ||
	    first_line_is_thanks(line))
		return;
	r->praised = r->below == 0 && first_line_is_praise(line);
	if (r->praised)
		return;
	r->denied |= first_line_says_no(line) ||
	             (words < BELOW_WORDS && alone_words_is_doubtful(line)) ||
	             (r->below == 0 && (*line == '?' || first_words_phrase(line, first_words_or) ||
	                                first_words_phrase(line, first_words_contrary)));
	r->below += words;
}

/* Reads the next line of a text; true: it is left out. */
static bool read_line(struct request *q, const char *raw, struct quoting *r, struct withheld *w)
{
	const char *next = raw, *line = body_lines_next_filled(q, &next);

	if (!*raw)
		r->apart |= w->command_count && r->below == 0 && r->depth != SIZE_MAX;
	if (!line)
		return false;
	r->closed = r->closed || first_line_is_closing(line);
	if (is_quoted(q, raw, line, r)) {
		if (!w->command_count)
			begin_below(q, raw, line, r);
		r->above = w->command_count ? r->above : r->words;
		withhold_name(q, line, w);
		w->quoted = true;
		r->spoken = r->spoken || mark_of(q->arena, raw) == '"';
		return true;
	}
	size_t words = r->closed ? 0 : words_of_prose(line);
	r->words += words;
	read_below(raw, line, words, r);
	r->indent = words ? indent_of(raw) : r->indent;
	return false;
}

/* Has a line of the text a mark in front, or an indent?  Most letters have none, and are not read here. */
static bool may_quote(const char *text)
{
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		const char *first = s + strspn(s, " \t");

		if (indent_of(s) >= INDENT || !(isalnum((unsigned char)*first) || *first == '\n'))
			return true;
	}
	return false;
}

const char *quoted_lines_cut(struct request *q, const char *text, struct withheld *w)
{
	struct str kept = str_in(q->arena, strlen(text) + 2);
	struct quoting r = { 0 };

	*w = (struct withheld){ 0 };
	for (const char *s = may_quote(text) ? text : ""; *s;
	     s += strcspn(s, "\n"), s += *s == '\n') {
		const char *raw = arena_strndup(q->arena, s, strcspn(s, "\n"));

		if (!read_line(q, raw, &r, w))
			str_addf(&kept, "%s\n", raw);
	}
	if ((r.above >= ABOVE_WORDS && r.words >= (r.spoken ? SPOKEN_WORDS : PROSE_WORDS)) ||
	    r.denied || (!r.bold && !r.apart && r.below >= BELOW_WORDS))
		return body_lines_trim(q->arena, kept.data);
	*w = (struct withheld){ 0 };
	return text;
}
