#include "pbm/commands/play/early.h"

#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/record/ahead_tree_line.h"
#include "pbm/record/match_text.h"

#define SPELLED_MAX 96
#define FOLLOWED_MAX 64 /* moves of the other side that are tried */

/* Are these n bytes the turn that was played last? */
static bool is_last(const struct match *m, const char *text, size_t n)
{
	const struct pos *before = m->ply ? &m->positions[m->ply - 1] : NULL;
	struct move mv;

	return before &&
	       game_read_move(&m->game, before, text, n, &mv, NULL, &(struct err){ 0 }) == 0 &&
	       game_is_same_turn(&m->game, before, &mv, &m->moves[m->ply - 1].move);
}

/* Cuts a turn's number off the front.  *number: 0 if there is none, or, where only_white, if it is
 * one of a second turn, "3...". */
static const char *cut_number(const char *text, bool only_white, long *number)
{
	size_t n = strspn(text, "0123456789"), dots = n + strspn(text + n, " \t");

	*number = 0;
	if (n == 0 || n > 4 || text[dots] != '.')
		return text;
	if (!only_white || text[dots + 1] != '.')
		*number = strtol(text, NULL, 10);
	return text + dots + strspn(text + dots, ". \t");
}

const char *early_skip_repeated(const struct match *m, const char *line)
{
	char last[80] = "";
	struct str s = STR_FIXED(last);
	long number, typed, again;
	const char *first = cut_number(line, true, &typed);
	size_t word = strcspn(first, " \t"), n = word;

	if (!m->ply || !typed)
		return line;
	match_write_ply(m, m->ply, &s);
	cut_number(last, true, &number);
	const char *second = first + word + strspn(first + word, " \t");
	const char *turn = cut_number(second, false, &again);
	if (number != typed || (again && again != number))
		return line;
	while (n && strchr(",;", first[n - 1]))
		n--;
	return n && game_looks_like_move(turn, strlen(turn)) && is_last(m, first, n) ? turn : line;
}

/* The turn at the beginning of the line as it may follow "then": without number, guard and
 * chatter.  NULL: there is none. */
static const char *turn_text(struct request *q, const struct match *m, const char *line)
{
	const char *text = command_move_text(line);
	size_t n = ahead_tree_begins(text), guard = command_guard_at(text), used = 0;
	enum read_refusal why = READ_OK;
	struct str spelled = STR_LOCAL(SPELLED_MAX);
	struct move mv;

	text = arena_strndup(q->arena, text, guard < n ? guard : n);
	if (m->game.rules->how_to_answer && first_line_push(text, &spelled))
		return arena_strdup(q->arena, spelled.data);
	if (game_read_line(&m->game, match_position(m), text, strlen(text), &mv, &used, &why,
	                   &(struct err){ 0 }) < 0 &&
	    why == READ_UNREADABLE)
		return first_line_spells(text, &spelled, &used)
		               ? arena_strdup(q->arena, spelled.data)
		               : NULL;
	while (used && strchr(".,;!?", text[used - 1]))
		used--;
	return arena_strndup(q->arena, text, used);
}

/* "Nf3 if exf4", without "then": the move after "if", as the other side would play it.  NULL:
 * there is no such legal move. */
static const char *condition(struct request *q, const struct match *m, const char *ifs)
{
	/* Not "h5 and if h4, I play g6", which has an answer of its own. */
	const char *text = str_prefix(ifs, "if ") && !strchr(ifs, ',')
	                           ? turn_text(q, m, ifs + strlen("if "))
	                           : NULL;
	struct move mv;

	if (!text ||
	    game_read_move(&m->game, match_position(m), text, strlen(text), &mv, NULL, NULL) < 0)
		return NULL;
	return match_turn(q->arena, m, match_position(m), &mv);
}

/* Can the turn be legal after a move of the other side?  *only: that side's move, if it has
 * just one. */
static bool may_follow(struct request *q, const struct match *m, const char *text,
                       const char **only)
{
	struct moves *legal = arena_alloc(q->arena, sizeof *legal);
	struct move mv;

	game_legal(&m->game, match_position(m), legal);
	if (legal->n == 1)
		*only = match_turn(q->arena, m, match_position(m), &legal->v[0]);
	for (size_t i = 0; i < legal->n && i < FOLLOWED_MAX; i++) {
		struct pos next = *match_position(m);

		game_apply(&m->game, &next, &legal->v[i], NULL);
		if (game_read_move(&m->game, &next, text, strlen(text), &mv, NULL,
		                   &(struct err){ 0 }) == 0)
			return true;
	}
	return legal->n > FOLLOWED_MAX;
}

/* The moves ahead after the turn, each with its "then"; "": none. */
static const char *plan_after(struct request *q, const char *line)
{
	const char *ifs = line + ahead_tree_begins(line);
	const char *added = *ifs ? ahead_tree_add_then(q->arena, ifs) : NULL;

	return strcasestr(ifs, " then ") ? ifs : added ? added : "";
}

static struct note *refuse_played(struct request *q, const struct call *c, const char *other,
                                  const char *text, const char *ifs)
{
	return request_refuse(
		q, c->board,
		*ifs ? "Your %.40s is played already on board %lld.  It is %s's move.  To send the rest ahead, write: %.200s"
		     : "Your %.40s is played already on board %lld.  It is %s's move.",
		text, (long long)c->board, other, ifs);
}

/* text: the turn, which can't follow, or NULL. */
static struct note *refuse_turn(struct request *q, const struct call *c, const char *other,
                                const char *text)
{
	return text ? request_refuse(
			      q, c->board,
			      "It is %s's move on board %lld.  Nothing was played.  Your %.40s would not be legal after it, either.  You play %s.",
			      other, (long long)c->board, text,
			      c->seat == SEAT_BLACK ? "Black" : "White")
	            : request_refuse(q, c->board,
	                             "It is %s's move on board %lld.  Nothing was played.", other,
	                             (long long)c->board);
}

struct note *early_refuse(struct request *q, const struct call *c, const char *other)
{
	const char *text = turn_text(q, c->match, c->rest), *only = NULL;
	const char *ifs = plan_after(q, c->rest);
	const char *theirs = *ifs ? NULL
	                          : condition(q, c->match, c->rest + ahead_tree_begins(c->rest));
	bool follows = text && may_follow(q, c->match, text, &only);

	if (!theirs && text && !(*ifs && follows) && is_last(c->match, text, strlen(text)))
		return refuse_played(q, c, other, text, ifs);
	if (!follows)
		return refuse_turn(q, c, other, text);
	only = theirs ? theirs : only;
	const char *answer = arena_printf(q->arena, "%.40s%s%.200s", text, *ifs ? " " : "", ifs);
	return only ? request_refuse(
			      q, c->board,
			      "It is %s's move on board %lld.  Nothing was played.  To send your answer to a move ahead, write: if %s then %s",
			      other, (long long)c->board, only, answer)
	            : request_refuse(
			      q, c->board,
			      "It is %s's move on board %lld.  Nothing was played.  To send your answer to a move ahead, write this with the move in it: if <%s's move> then %s",
			      other, (long long)c->board, other, answer);
}
