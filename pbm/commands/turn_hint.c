#include "pbm/commands/turn_hint.h"

#include <ctype.h>
#include <string.h>

#include "games/notation/notation.h"
#include "games/rules.h"
#include "mail/plain.h"
#include "mail/reply/reply.h"
#include "pbm/base/str.h"
#include "pbm/commands/play/turn.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

#define MAN_MIN 4     /* letters of a man's name */
#define GUESSES_MAX 3 /* refused lines of a mail for which the move among its words is looked for */

/* The turn that the words at s begin with, in words ("Springer f6") or as one; *words: its
 * number of words.  NULL: it is none. */
static const char *turn_at(struct request *q, const char *s, size_t *words)
{
	char buf[80];
	struct str spelled = STR_FIXED(buf);
	const char *line = arena_strndup(q->arena, s, strcspn(s, "\n"));
	size_t used, n;

	*words = 1;
	if (first_line_spells(line, &spelled, &used)) {
		for (size_t i = 0; i < used; i++)
			*words += line[i] == ' ' && line[i + 1] != ' ';
		return arena_strdup(q->arena, buf);
	}
	line = plain_line(q->arena, arena_strndup(q->arena, line, strcspn(line, " \t")));
	line += strspn(line, "."); /* "...e5" */
	n = strlen(line);
	while (n && strchr(".,;:!?)", line[n - 1]))
		n--;
	line = arena_strndup(q->arena, line, n);
	return strpbrk(line, "12345678O0") && game_looks_like_move(line, n) ? line : NULL;
}

/* "Nd4" for "knight" and "d4"; NULL: the word names no man. */
static const char *names_man(struct arena *a, const char *word, const char *square)
{
	char text[40];
	struct str s = STR_FIXED(text);
	const char *line = arena_printf(a, "%.20s %s", word, square);

	return strlen(word) >= MAN_MIN && game_spell_move(line, strlen(line), &s) &&
	                       strchr("NBRQK", *text)
	               ? arena_strdup(a, text)
	               : NULL;
}

/* "Nd4" for "knight" and "d4", also with the push in "d4,a6"; NULL: he can't be meant.  Another turn
 * stays as it is. */
static const char *man_at(struct arena *a, const char *man, const char *word)
{
	bool square = islower((unsigned char)*word) && (!word[2] || word[2] == ',');
	const char *turn = square ? names_man(a, man, arena_strndup(a, word, strcspn(word, ",")))
	                          : NULL;

	return !square ? word
	       : turn  ? arena_printf(a, "%s%s", turn, word + strcspn(word, ","))
	               : NULL;
}

/* The only legal turn among the first words of the mail, "nice to meet you.  I play b7-b5.".
 * NULL: there is none, or more than one. */
static const char *seen_turn(struct request *q, int64_t board)
{
	const struct match *m = board ? request_match(q, board, NULL) : NULL;
	uint8_t seat = m && q->who.known ? match_seat_of(m, q->who.player.userid) : SEAT_NONE;
	const char *found = NULL;
	struct words w;

	/* Many lines may be refused, and the whole mail is read for each answer. */
	if (seat == SEAT_NONE || q->note_count > GUESSES_MAX)
		return NULL;
	words_split(q->arena, reply_text(q->arena, q->mail.text), &w);
	const char *man = NULL;
	for (size_t i = 0, used; i < w.n; i += used) {
		const char *word = turn_at(q, w.v[i].start, &used);

		if (names_man(q->arena, w.v[i].text, "a1"))
			man = w.v[i].text;
		if (word && man) /* "the knight should go to d4" */
			word = man_at(q->arena, man, word);
		if (!word || !turn_is_legal(q, m, seat, word))
			continue;
		if (found && strcmp(found, word) != 0)
			return NULL;
		found = word;
	}
	return found;
}

/* The only legal turn that fits a line such as "exd".  NULL: there is none. */
static const char *guessed_turn(struct request *q, const struct match *m, const char *line)
{
	char san[64];
	struct str s = STR_FIXED(san);
	struct move mv;

	if (!m || !q->who.known || m->doc.state != GAME_RUNNING || m->game.rules->read_turn ||
	    match_seat_of(m, request_userid(q)) != match_to_move(m) ||
	    !game_guess_move(&m->game, match_position(m), line, strlen(line), &mv))
		return NULL;
	game_write_san(&m->game, match_position(m), &mv, &s);
	return arena_strdup(q->arena, san);
}

/* The words after the move of a player who speaks of a draw. */
static const char *draw_words(const char *line)
{
	bool wants = strcasestr(line, "draw") || strcasestr(line, "remis");

	return wants && !first_line_says_no(line) ? " draw" : "";
}

const char *turn_hint_castling(struct request *q, const struct match *m, uint8_t seat,
                               const char *lines)
{
	bool is_short = seat != SEAT_NONE && turn_is_legal(q, m, seat, "O-O");
	bool is_long = seat != SEAT_NONE && turn_is_legal(q, m, seat, "O-O-O");

	return is_short == is_long ? lines : is_short ? "O-O" : "O-O-O";
}

/* The line to answer with: in a digest the board stands in front of the turn. */
static const char *answer_with(const struct parse *p, int64_t board, const char *turn,
                               const char *draw)
{
	struct arena *a = p->q->arena;

	return p->q->who.token.kind == TOKEN_DIGEST && p->has_ref
	               ? arena_printf(a, "If %s is your move, answer with it:\n    %lld: %s%s",
	                              turn, (long long)board, turn, draw)
	               : arena_printf(a,
	                              "If %s is your move, answer with it on the first line:\n"
	                              "    %s%s",
	                              turn, turn, draw);
}

const char *turn_hint_find(struct parse *p, int64_t board, const char *start)
{
	char text[80];
	struct str drop = STR_FIXED(text);
	struct request *q = p->q;
	const struct match *m = board ? request_match(q, board, NULL) : NULL;
	const char *asks = strchr(start, '?') ? did_you_mean_help(q->arena, start) : NULL;

	if (asks && strcmp(asks, "undo") == 0)
		return NULL;
	bool drops = m && q->who.known && (m->game.rules->flags & RULES_DROPS) &&
	             game_spell_drop(start, strlen(start), &drop);
	if (drops && !turn_is_legal(q, m, match_seat_of(m, request_userid(q)), text))
		return arena_printf(
			q->arena,
			"The way to put a man of your pocket on the board is on this page:\n    help %s",
			m->game.rules->name);
	const char *turn = drops ? text : guessed_turn(q, m, start);
	if (!turn)
		turn = seen_turn(q, board);
	return turn ? answer_with(p, board, turn, draw_words(start)) : NULL;
}
