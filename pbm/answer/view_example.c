#include "pbm/answer/view_example.h"

#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "games/solve/solve.h"

#define CANDIDATES_MAX 12 /* turns looked at */
#define REPLIES_MAX 400   /* replies to one of them */
/* Of a turn in the losing family.  When a win of the opponent is still far after a look, it is
 * hardly ever found with more nodes: in 597 random positions that changed the turn from a good
 * one to a lost one twice, and took a quarter of the time away. */
#define LOOK_NODES 100u
#define SEARCH_NODES 400u
#define FAR 10 /* positions that are still to be proved */

/* Where the first turn of the losing games is known: 1. e3 holds (Watkins 2016). */
static const char known_first[] = "e3";

static enum result win_of(enum color c)
{
	return c == WHITE ? RESULT_WHITE : RESULT_BLACK;
}

/* Has one reply won at once?  replies: room for them. */
static bool loses_to_a_reply(struct moves *replies, const struct game *g, const struct pos *p)
{
	struct outcome end;

	game_legal(g, p, replies);
	for (size_t i = 0; i < replies->n && i < REPLIES_MAX; i++) {
		struct pos next = *p;

		game_apply(g, &next, &replies->v[i], NULL);
		game_outcome(g, &next, &end);
		if (end.result == win_of(p->to_move))
			return true;
	}
	return false;
}

/* Does the side to move win, as far as is known? */
static bool is_won(struct solve *solver, const struct pos *p)
{
	struct solve_result found;

	solve_run(solver, p, &(struct solve_limits){ .nodes = LOOK_NODES }, &found);
	if (found.value == SOLVE_UNKNOWN && !found.settled && found.open <= FAR)
		solve_run(solver, p, &(struct solve_limits){ .nodes = SEARCH_NODES - LOOK_NODES },
		          &found);
	return found.value == SOLVE_WIN;
}

/* Does the side to move lose after the turn, as far as a look is worth its time? */
static bool is_bad(struct moves *room, const struct game *g, const struct pos *p,
                   const struct move *mv, struct solve *solver)
{
	char why[200];
	struct str s = STR_FIXED(why);
	struct pos next = *p;
	struct outcome end;

	if (game_blunder(g, p, mv, &s))
		return true;
	game_apply(g, &next, mv, NULL);
	game_outcome(g, &next, &end);
	if (end.result != RESULT_RUNNING)
		return end.result != win_of(p->to_move);
	if (next.to_move == p->to_move)
		return false;
	if (loses_to_a_reply(room, g, &next))
		return true;
	if (!solver)
		return false;
	return is_won(solver, &next);
}

static const char *san_of(struct arena *a, const struct match *m, const struct move *mv)
{
	char text[64];
	struct str s = STR_FIXED(text);

	game_write_san(&m->game, match_position(m), mv, &s);
	return arena_strdup(a, text);
}

/* An example that mates would do the player's thinking. */
static bool wins_at_once(const struct game *g, const struct pos *p, const struct move *mv)
{
	struct pos next = *p;
	struct outcome end;

	game_apply(g, &next, mv, NULL);
	game_outcome(g, &next, &end);
	return end.result != RESULT_RUNNING;
}

/* The turns from the middle of the list outward. */
static size_t nth(size_t i, size_t n)
{
	size_t middle = n / 2, away = (i + 1) / 2;

	return i % 2 ? (middle + n - away) % n : (middle + away) % n;
}

static size_t search(struct arena *a, const struct match *m, const struct moves *legal,
                     struct solve *solver)
{
	struct moves *room = arena_alloc(a, sizeof *room);
	size_t plain = SIZE_MAX, win = legal->n / 2;

	for (size_t i = 0; i < legal->n && i < CANDIDATES_MAX; i++) {
		size_t k = nth(i, legal->n);

		if (is_bad(room, &m->game, match_position(m), &legal->v[k], solver))
			continue;
		if (wins_at_once(&m->game, match_position(m), &legal->v[k])) {
			win = k;
			continue;
		}
		if (!m->game.rules->how_to_answer || strchr(san_of(a, m, &legal->v[k]), ','))
			return k;
		if (plain == SIZE_MAX)
			plain = k;
	}
	return plain == SIZE_MAX ? win : plain;
}

size_t view_example(struct arena *a, const struct match *m, const struct moves *legal)
{
	/* Of the whole process: to get so much zeroed memory takes longer than the search. */
	static void *memory;
	size_t found = SIZE_MAX;

	for (size_t i = 0; m->ply == 0 && i < legal->n && found == SIZE_MAX; i++)
		if (strcmp(san_of(a, m, &legal->v[i]), known_first) == 0)
			found = i;
	if (found != SIZE_MAX && m->game.rules->fast && m->game.rules->fast->list[WHITE])
		return found;
	if (!memory)
		memory = mem_alloc(SOLVE_MEMORY_MIN);
	struct solve *solver = solve_init(&m->game, memory, SOLVE_MEMORY_MIN, NULL);
	found = search(a, m, legal, solver);
	if (solver)
		solve_forget(solver);
	return found;
}
