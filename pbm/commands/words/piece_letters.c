#include "pbm/commands/words/piece_letters.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/notation/notation_letters.h"
#include "pbm/answer/view_style.h"
#include "pbm/commands/words/after_turn.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/record/ahead_tree_line.h"
#include "pbm/record/match.h"

#define LINE_MAX 1000

/* The language of the setting notation, else of the player's mails: a player with English moves in
 * German mails may write German ones. */
static enum tongue tongue_of(struct request *q)
{
	static const struct {
		const char *code;
		enum tongue tongue;
	} all[] = { { "de", TONGUE_GERMAN }, { "fr", TONGUE_FRENCH }, { "es", TONGUE_SPANISH } };

	if (!q->who.known)
		return TONGUE_ENGLISH;
	const struct view_style style = view_style_of(q, request_userid(q));
	if (style.tongue > TONGUE_FIGURINE)
		return style.tongue;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(language_code(style.language), all[i].code) == 0)
			return all[i].tongue;
	return TONGUE_ENGLISH;
}

/* Is the line a move, or a command that takes moves?  Prose stays as it was written. */
static bool takes_moves(const char *line)
{
	static const char *const words[] = {
		"move", "board", "if", "queue", "preview", "try", NULL
	};
	size_t n = strcspn(line, " \t");
	struct err e = { 0 };

	return str_is_any_n(line, n, words) || !command_find(line, n, &e);
}

static bool is_legal(const struct match *m, char piece, const char *behind)
{
	struct str s = STR_LOCAL(40);
	struct move mv;

	str_addf(&s, "%c%.*s", piece, (int)strcspn(behind, " \t,;"), behind);
	return !s.truncated &&
	       game_read_move(&m->game, match_position(m), s.data, s.len, &mv, NULL, NULL) == 0;
}

/* "Re2" or "17: Re2" of a French or Spanish player: a king's move if only the king can go there. */
static const char *read_king(struct request *q, const char *line)
{
	size_t digits = strspn(line, "0123456789");
	bool named = digits > 0 && digits < 12 && line[digits] == ':';
	int64_t board = named ? strtoll(line, NULL, 10)
	                : q->who.has_token && q->who.token.kind == TOKEN_GAME ? q->who.token.board
	                                                                      : 0;
	size_t front = named ? digits + 1 : 0;
	struct match *m = request_match(q, board, NULL);

	front += strspn(line + front, " \t");
	const char *at = line + front;
	/* A rook that was typed as T is certainly one. */
	bool king = *at == 'R' && q->letters.typed[front] == 'R' && m &&
	            m->doc.state == GAME_RUNNING && is_legal(m, 'K', at + 1) &&
	            !is_legal(m, 'R', at + 1);
	return king ? arena_printf(q->arena, "%.*sK%s", (int)front, line, at + 1) : line;
}

bool piece_letters_doubt(struct request *q, const struct match *m, const char *text,
                         const char *two[2])
{
	const char *man = piece_letters_file(q->arena, text), *typed = piece_letters_typed(q, text);
	bool takes = *text && text[1] == 'x';
	int n = *text ? (int)strcspn(text + 1, " \t,;") : 0;

	if (man && is_legal(m, *text, text + 1) && is_legal(m, *man, text + 1)) {
		two[0] = arena_printf(q->arena, "%c%s%.*s", tolower((unsigned char)*text),
		                      takes ? "" : "x", n, text + 1);
		two[1] = arena_printf(q->arena, "%c%.*s", *man, n, text + 1);
		return true;
	}
	enum tongue t = tongue_of(q);
	if ((t != TONGUE_FRENCH && t != TONGUE_SPANISH) || *text != 'R' || *typed != 'R' ||
	    !is_legal(m, 'K', text + 1) || !is_legal(m, 'R', text + 1))
		return false;
	two[0] = arena_printf(q->arena, "K%.*s", n, text + 1);
	two[1] = arena_printf(q->arena, "T%.*s", n, text + 1);
	return true;
}

/* "D a4", as telephones write it, without the blank. */
static const char *join_letter(struct arena *a, const char *line)
{
	bool apart = *line >= 'A' && *line <= 'Z' && line[1] == ' ' && line[2] >= 'a' &&
	             line[2] <= 'h' && line[3] >= '1' && line[3] <= '8';

	return apart && strchr(" .,;!+#", line[4]) ? arena_printf(a, "%c%s", *line, line + 2)
	                                           : line;
}

static const char *hear(struct arena *a, enum tongue t, const char *line)
{
	struct str s = str_in(a, 2 * LINE_MAX);

	notation_hear(t, line, &s);
	return s.data;
}

/* "wenn Nf6 dann Bb5" is read as "if Nf6 then Bb5" for everybody, because such a line must not
 * be passed on. */
static const char *read_ahead(struct request *q, enum tongue t, const char *line)
{
	static const char blanks[] = " \t,;()";
	static const char *const words[][2] = {
		{ "wenn", "if" },     { "falls", "if" },      { "si", "if" },
		{ "se", "if" },       { "als", "if" },        { "dann", "then" },
		{ "so", "then" },     { "alors", "then" },    { "dan", "then" },
		{ "allora", "then" }, { "entonces", "then" }, { "então", "then" },
		{ "than", "then" },
	};
	struct ahead_tree_line ahead;

	if (strlen(line) > LINE_MAX)
		return line;
	struct str s = str_in(q->arena, 2 * LINE_MAX);
	for (const char *p = line; *p;) {
		size_t n = strcspn(p, blanks), i = 0;

		while (i < sizeof words / sizeof *words &&
		       (strlen(words[i][0]) != n || strncasecmp(words[i][0], p, n) != 0))
			i++;
		if (i < sizeof words / sizeof *words)
			str_add(&s, words[i][1]);
		else
			str_add_n(&s, p, n);
		str_add_n(&s, p + n, strspn(p + n, blanks));
		p += n + strspn(p + n, blanks);
	}
	const char *heard = hear(q->arena, t, s.data);
	size_t at = ahead_tree_begins(heard);
	if (ahead_tree_line_read(q->arena, heard + at, &ahead, NULL) < 0)
		return line;
	return after_turn_before(heard, at) ? heard : heard + at; /* "and if Nc6 then Bb5" */
}

const char *piece_letters_line(struct request *q, const char *line)
{
	enum tongue t = tongue_of(q);

	const char *typed = line;

	line = read_ahead(q, t, line);
	if (line != typed) {
		q->letters.typed = typed;
		q->letters.read = line;
	}
	if (t == TONGUE_ENGLISH || strlen(line) > LINE_MAX || !takes_moves(line))
		return line;
	bool ahead = line != typed;
	line = join_letter(q->arena, line);
	q->letters.typed = ahead ? typed : line;
	q->letters.read = line = hear(q->arena, t, line);
	return t == TONGUE_FRENCH || t == TONGUE_SPANISH ? read_king(q, line) : line;
}

const char *piece_letters_word(struct request *q, const char *word)
{
	enum tongue t = tongue_of(q);

	return t == TONGUE_ENGLISH || strlen(word) > LINE_MAX ? word : hear(q->arena, t, word);
}

/* Are the first n bytes of both the same but for the letters of pieces? */
static bool is_typed_as(const char *typed, const char *read, size_t n)
{
	size_t i = 0;

	while (i < n && (typed[i] == read[i] ||
	                 (typed[i] >= 'A' && typed[i] <= 'Z' && read[i] >= 'A' && read[i] <= 'Z')))
		i++;
	return i == n;
}

const char *piece_letters_typed(const struct request *q, const char *line)
{
	if (!q->letters.read)
		return line;
	size_t n = strlen(line), all = strlen(q->letters.read);

	if (n && is_typed_as(q->letters.typed, q->letters.read, n) &&
	    strncmp(line, q->letters.read, n) == 0)
		return arena_strndup(q->arena, q->letters.typed, n);
	if (strcmp(line, q->letters.read) == 0)
		return q->letters.typed;

	return all >= n && all == strlen(q->letters.typed) &&
	                       strcmp(q->letters.read + all - n, line) == 0
	               ? q->letters.typed + all - n
	               : line;
}

const char *piece_letters_german(struct arena *a, const char *line)
{
	const char *joined = join_letter(a, line);
	size_t n = strcspn(joined, " \t,;");
	const char *heard = hear(a, TONGUE_GERMAN, arena_strndup(a, joined, n));
	bool push = joined[n] == ',' && strcspn(joined + n, " \t.!") == strlen(",a3");

	if ((joined == line && first_line_is_move(line)) || !first_line_is_move(heard))
		return NULL;
	return push ? arena_printf(a, "%s%.3s", heard, joined + n) : heard;
}

const char *piece_letters_file(struct arena *a, const char *move)
{
	static const char files[] = "ACDF", men[] = "BNQB";
	const char *at = *move ? strchr(files, *move) : NULL;
	/* "A6" of a telephone is a square; "C1f3" is a knight. */
	bool square = at && isdigit((unsigned char)move[1]) && !(move[2] >= 'a' && move[2] <= 'h');

	return at && !square ? arena_printf(a, "%c%s", men[at - files], move + 1) : NULL;
}

const char *piece_letters_hint(struct arena *a, const char *line)
{
	const char *heard = piece_letters_german(a, line);
	const char *man = heard ? piece_letters_file(a, heard)
	                        : NULL; /* "C f3": a Spanish knight */

	heard = man ? man : heard;
	if (heard && first_line_is_move(join_letter(a, line))) /* "N f3" */
		return arena_printf(a,
		                    "If %s is your move, answer with it on the first line:\n    %s",
		                    heard, heard);
	return heard ? arena_printf(
			       a,
			       "If %s is your move, answer with it on the first line:\n    %s\n"
			       "To write German letters, answer with: set notation german",
			       heard, heard)
	             : NULL;
}
