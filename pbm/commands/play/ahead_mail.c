#include "pbm/commands/play/ahead_mail.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "mail/plain.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/commands/words/turn_talk_words.h"
#include "pbm/record/match_ahead.h"
#include "pbm/text/words.h"

#define LINES_BYTES (2 * GAME_AHEAD_MAX) /* of one mail for one board */
#define BROKEN_LEAST 50                  /* bytes of a line that may have been broken */
#define JOINED_MAX 40                    /* lines that a mail program broke one line into */
#define JOINED_IN_MAIL 400               /* ... of all lines of a mail */
#define JOINED_LONGEST 256               /* ... that belong to the first line of an answer */

static const char *trimmed(struct request *q, const char *p, size_t n)
{
	while (n && isspace((unsigned char)*p)) {
		p++;
		n--;
	}
	while (n && isspace((unsigned char)p[n - 1]))
		n--;
	return piece_letters_line(q, plain_line(q->arena, arena_strndup(q->arena, p, n)));
}

/* The next line of text, trimmed; *used is its length with its end.  NULL at the end. */
static const char *peek(struct request *q, const char *text, size_t *used)
{
	if (!text || !*text)
		return NULL;
	size_t n = strcspn(text, "\n");

	*used = n + (text[n] == '\n');
	return trimmed(q, text, n);
}

static bool begins_with(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncasecmp(line, word, n) == 0 && (!line[n] || isspace((unsigned char)line[n]));
}

/* Did a mail program break this line, so that next belongs to it? */
static bool is_broken(const char *line, const char *next)
{
	return *next && ahead_tree_is_open(line) &&
	       (strcasestr(line, "then") || begins_with(next, "then") ||
	        (begins_with(line, "if") && strcasestr(next, " then ")));
}

/* Joins what a mail program broke off the line in s, at most so many lines; it stands at text after
 * *used bytes, which grows.  Returns how many lines they were. */
static size_t join_broken(struct request *q, const char *text, size_t most, struct str *s,
                          size_t *used)
{
	const char *next;
	size_t n = 0, more;

	while (n < most && (next = peek(q, text + *used, &more)) && is_broken(s->data, next) &&
	       s->len + strlen(next) + 2 <= LINES_BYTES) {
		str_addf(s, " %s", next);
		*used += more;
		n++;
	}
	return n;
}

/* A line of moves ahead at the beginning of text, joined again if a mail program broke it; *used
 * is its length.  *left: how many more lines may be joined.  NULL: there is none. */
static const char *one_line(struct request *q, const char *text, size_t *used, size_t *left)
{
	const char *line = peek(q, text, used);
	char joined[LINES_BYTES];
	struct str s = STR_FIXED(joined);

	if (!line || !*line || strlen(line) >= sizeof joined)
		return line && *line && ahead_tree_is_line(line) ? line : NULL;
	str_add(&s, line);
	*left -= join_broken(q, text, *left < JOINED_MAX ? *left : JOINED_MAX, &s, used);
	return ahead_tree_is_line(joined) ? arena_strdup(q->arena, joined) : NULL;
}

/* "if 17 e5 then Nf3" is a command of its own: it names its board. */
static bool names_board(struct request *q, const char *line)
{
	struct words w;
	struct board_ref ref;

	words_split(q->arena, line, &w);
	return w.n > 2 && words_board(w.v[1].text, &ref) && strcmp(w.v[2].text, ".") != 0 &&
	       strcasecmp(w.v[2].text, "then") != 0;
}

/* The next line at text, if it begins with "if"; a list's mark may come before it, but no
 * quotation's.  NULL: another line. */
static const char *next_line(struct request *q, const char *text, size_t *used)
{
	const char *line = one_line(q, text, used, &(size_t){ JOINED_MAX });

	if (line && !strchr(">|", *line))
		line = first_line_move(q->arena, line);
	return line && begins_with(line, "if") && !names_board(q, line) ? line : NULL;
}

/* Is the line another command than one that takes moves ahead? */
static bool is_other_command(struct request *q, const char *line)
{
	static const char *const takers[] = { "if", "move", "board", "submit" };
	struct words w;

	words_split(q->arena, line, &w);
	for (size_t i = 0; i < w.n && i < 3; i++)
		for (size_t k = 0; k < sizeof takers / sizeof *takers; k++)
			if (strcasecmp(w.v[i].text, takers[k]) == 0)
				return false;
	return ahead_tree_begins(line) == strlen(line) && command_is_one(line) &&
	       !(w.n > 1 && strchr(w.v[0].text, ':') && first_line_is_move(w.v[1].start));
}

const char *ahead_mail_take(struct request *q, const char *line, const char **text)
{
	size_t used = 0, blank;
	const char *next;

	if (!*text || is_other_command(q, line))
		return line;
	struct str s = str_in(q->arena, strlen(line) + LINES_BYTES);
	str_add(&s, line);
	join_broken(q, *text, JOINED_LONGEST, &s, &used);
	*text += used;
	for (;;) {
		const char *at = *text;

		while ((next = peek(q, at, &blank)) && !*next)
			at += blank;
		next = next ? next_line(q, at, &used) : NULL;
		if (!next || s.len + strlen(next) > LINES_BYTES)
			return s.data;
		str_addf(&s, ahead_tree_begins(s.data) == s.len ? " %s" : "; %s", next);
		*text = at + used;
	}
}

const char *ahead_mail_strip(struct request *q, const char *text, bool *cut)
{
	size_t used, left = JOINED_IN_MAIL;
	const char *line;

	*cut = false;
	if (!text)
		return NULL;
	struct str kept = str_in(q->arena, strlen(text) + 1);
	while ((line = peek(q, text, &used))) {
		size_t whole = used;

		if (*line && one_line(q, text, &whole, &left)) {
			*cut = true;
			used = whole;
		} else {
			str_add_n(&kept, text, used);
		}
		text += used;
	}
	return kept.data;
}

/* The words after "then" in a line of moves ahead; NULL: it has no such word. */
static const char *after_then(const char *line)
{
	static const char *const thens[] = { " dann ", " then ", " entonces ", " alors " };

	for (size_t i = 0; i < sizeof thens / sizeof *thens; i++) {
		const char *at = strcasestr(line, thens[i]);

		if (at)
			return at + strlen(thens[i]);
	}
	return NULL;
}

/* "queue Nf3", "queue 17 Nf3", "17: queue Nf3" */
static bool is_queued(struct request *q, const char *line)
{
	static const char word[] = "queue";
	const char *behind = body_lines_behind_board(line);
	struct words w;
	struct board_ref ref;

	line = behind ? behind : line;
	if (!begins_with(line, word))
		return false;
	words_split(q->arena, line + strlen(word), &w);
	size_t i = w.n > 1 && words_board(w.v[0].text, &ref);
	return i < w.n && game_looks_like_move(w.v[i].text, command_guard_at(w.v[i].text));
}

/* The line with blanks in place of the marks between its words: "if(e5|c5) Nf3".  "e8=Q" keeps its own. */
static const char *spaced(struct request *q, const char *line)
{
	char *s = arena_strdup(q->arena, line);

	for (char *p = s; *p; p++)
		if (strchr("/|?(){}[],:;", *p) ||
		    (*p == '=' && !(p > s && isdigit((unsigned char)p[-1]))))
			*p = ' ';
	return s;
}

/* "else Nf3", "premove Nf3", "if any: Nf3": turns of the writer's that come later. */
static bool tells_next(struct request *q, const char *line)
{
	const char *rest = line;

	for (size_t n; (n = first_words_phrase(rest, turn_talk_words_ahead));)
		rest += n + strspn(rest + n, " .-");
	const char *german = rest == line ? NULL : piece_letters_german(q->arena, rest);
	return rest != line &&
	       (first_line_is_turns(rest) || (german && first_line_is_turns(german)));
}

/* The bytes of the "if" that the line begins with; its turn may be glued to it, where a mail had a blank
 * without width.  0: another word. */
static size_t if_at(const char *line)
{
	static const char *const words[] = { "if",      "wenn", "falls",       "si",
		                             "se",      "bei",  "conditional", "conditionals",
		                             "bedingt", "ifs",  NULL };
	size_t n = strcspn(line, " "), len;

	if (str_is_any_n(line, n, words))
		return n;
	n = str_prefix_any(line, words);
	return n && first_line_next_turn(line + n, &len) == line + n ? n : 0;
}

bool ahead_mail_is_plan(struct request *q, const char *line)
{
	size_t n, len;

	if (is_queued(q, line))
		return true;
	line = spaced(q, line);
	if (tells_next(q, line))
		return true;
	n = if_at(line);
	if (!n)
		return false;
	line += n + strspn(line + n, " ");
	const char *mine = after_then(line);
	const char *turn = first_line_next_turn(line, &len);
	if (!turn) /* "Wenn du Lb5 spielst, dann Sf6" */
		return mine && (piece_letters_german(q->arena, line) ||
		                (ahead_tree_holds_square(line, strlen(line)) &&
		                 ahead_tree_holds_plan(mine)));
	return (mine && ahead_tree_holds_plan(mine)) || first_line_next_turn(turn + len, &len);
}

/* The end of the first of several lines: at a line end, or at a semicolon before "if". */
static size_t line_end(const char *p)
{
	size_t n = 0;

	for (; p[n] && p[n] != '\n'; n++)
		if (p[n] == ';' && begins_with(p + n + 1 + strspn(p + n + 1, " \t"), "if"))
			break;
	return n;
}

/* Adds the line.  If a mail program broke a long line before "if", the text belongs to the end
 * of the line before, *last. */
static int enter_line(struct request *q, struct ahead_tree *t, const struct game *g,
                      const struct pos *root, const char *line, const char **last,
                      struct str *replaced, struct err *e)
{
	int rc = ahead_tree_add(t, g, root, line, replaced, e);

	if (rc < 0 && *last && strlen(*last) >= BROKEN_LEAST) {
		const char *whole = arena_printf(q->arena, "%s %s", *last, line);

		if (ahead_tree_add(t, g, root, whole, replaced, NULL) == 0) {
			*last = whole;
			return 0;
		}
	}
	*last = rc == 0 ? line : NULL;
	return rc;
}

/* keep: put what can be added into the game. */
static const char *enter_lines(struct request *q, struct match *m, uint8_t seat, const char *lines,
                               bool keep, size_t *added)
{
	struct pos root;
	struct ahead_tree t;
	unsigned stamp;
	size_t n = 0;
	const char *last = NULL;

	if (match_is_solo(m))
		return "  You play both sides of this board, so no moves ahead were entered.";
	if (m->doc.state != GAME_RUNNING || !match_ahead_place(m, seat, &stamp, &root))
		return "  The game is over, so no moves ahead were entered.";
	match_ahead(m, seat, stamp, &t);
	struct str out = str_in(q->arena, 8192);
	while (*lines) {
		size_t len = line_end(lines);
		const char *line = trimmed(q, lines, len);
		char old[AHEAD_TREE_TURN_MAX * 2] = "";
		struct str replaced = STR_FIXED(old);
		struct err why = { 0 };

		if (*line &&
		    enter_line(q, &t, &m->game, &root, line, &last, &replaced, &why) == 0) {
			n++;
			if (*old)
				str_addf(&out, "  \"%.100s\" replaces the answer %s.", line, old);
		} else if (*line) {
			str_addf(&out, "  \"%.100s\" was not entered and not passed on: %s", line,
			         why.text);
		}
		lines += len + (lines[len] != '\0');
	}
	if (n && keep)
		match_set_ahead(m, seat, stamp, &t);
	if (added)
		*added = n;
	return out.data;
}

const char *ahead_mail_enter(struct request *q, struct match *m, uint8_t seat, const char *lines,
                             size_t *added)
{
	return enter_lines(q, m, seat, lines, true, added);
}

const char *ahead_mail_try(struct request *q, struct match *m, uint8_t seat, const char *lines)
{
	size_t n = 0;
	const char *told = enter_lines(q, m, seat, lines, false, &n);

	return n ? NULL : told;
}
