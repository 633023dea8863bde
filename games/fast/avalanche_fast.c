#include "games/fast/avalanche_fast.h"

#include "games/fast/fast.h"

/* All turns that begin with this move. */
GAMES_INLINE uint64_t turns_with(const struct game *g, const struct pos *p, struct move m,
                                 int depth, enum color c, unsigned switches, enum attacks_path path,
                                 fast_perft *next)
{
	uint64_t pushable = 0, sum = 0;

	if (avalanche_pushes_now(g->options, p))
		pushable = avalanche_pushable(p, m, c, switches);
	if (depth == 1)
		return pushable ? bit_count(pushable, path) : 1;

	struct pos moved = *p;

	gen_apply(&moved, m, c, switches, NULL);
	if (!pushable)
		return next(g, &moved, depth - 1);
	for (; pushable; pushable &= pushable - 1) {
		struct pos child = moved;

		avalanche_push(&child, bit_first(pushable));
		sum += next(g, &child, depth - 1);
	}
	return sum;
}

/* A position in which no promotion is owed. */
GAMES_INLINE uint64_t plain(const struct game *g, const struct pos *p, int depth, enum color c,
                            unsigned switches, enum attacks_path path, fast_perft *next)
{
	struct gen_list l;
	uint64_t sum = 0;

	gen_list_moves(p, c, switches, true, PROMOTE_QRBN, path, &l);
	for (unsigned i = 0; i < l.n; i++)
		sum += turns_with(g, p, l.v[l.first + i], depth, c, switches, path, next);
	return sum;
}

/* Adds a turn, while there is room. */
GAMES_INLINE void add_turn(struct gen_list *l, struct move m, unsigned named, unsigned push)
{
	if (l->n == GEN_MAX)
		return;
	m.own[AVALANCHE_NAMED] = (uint8_t)named;
	m.own[AVALANCHE_PUSH] = (uint8_t)push;
	l->captures += (m.flags & MOVE_CAPTURE) != 0;
	l->v[l->n++] = m;
}

/* The turns of a position in which no pawn waits any more; named is the piece it has become, or
 * PAWN. */
GAMES_INLINE void list_turns(const struct game *g, const struct pos *p, unsigned named,
                             bool captures, enum color c, enum attacks_path path,
                             struct gen_list *out)
{
	unsigned switches = avalanche_switches(g->options);
	bool pushes = avalanche_pushes_now(g->options, p);
	struct gen_list l;

	gen_list_moves(p, c, switches, true, PROMOTE_QRBN, path, &l);
	for (unsigned i = 0; i < (captures ? l.captures : l.n); i++) {
		struct move m = l.v[l.first + i];
		uint64_t pushable = pushes ? avalanche_pushable(p, m, c, switches) : 0;

		if (!pushable)
			add_turn(out, m, named, 0);
		for (; pushable; pushable &= pushable - 1)
			add_turn(out, m, named, bit_first(pushable));
	}
}

GAMES_INLINE void list_all(const struct game *g, const struct pos *p, bool captures, enum color c,
                           enum attacks_path path, struct gen_list *l)
{
	bool waiting = avalanche_waiting(p, c);
	unsigned type = waiting ? QUEEN : PAWN; /* PAWN: nothing is named */

	l->first = l->n = l->captures = 0;
	do {
		struct pos named = *p;

		avalanche_name(&named, type);
		if (!waiting || !avalanche_won(&named, c, path))
			list_turns(g, &named, type, captures, c, path, l);
		else if (!captures)
			add_turn(l, move_none, type, 0);
	} while (type-- > KNIGHT);
}

GAMES_INLINE void avalanche_fast_list(const struct game *g, const struct pos *p, enum color c,
                                      enum attacks_path path, struct gen_list *l)
{
	list_all(g, p, false, c, path, l);
}

GAMES_INLINE void avalanche_fast_captures(const struct game *g, const struct pos *p, enum color c,
                                          enum attacks_path path, struct gen_list *l)
{
	list_all(g, p, true, c, path, l);
}

GAMES_INLINE bool avalanche_fast_apply(const struct game *g, struct pos *p, struct move m,
                                       enum color c, enum attacks_path)
{
	if (m.own[AVALANCHE_NAMED] != PAWN)
		avalanche_name(p, m.own[AVALANCHE_NAMED]);
	if (m.from == NO_SQUARE)
		return true;
	gen_apply(p, m, c, avalanche_switches(g->options), NULL);
	if (m.own[AVALANCHE_PUSH])
		avalanche_push(p, m.own[AVALANCHE_PUSH]);
	return true;
}

GAMES_INLINE enum result avalanche_fast_leaf(const struct game *, const struct pos *p, enum color c,
                                             enum attacks_path path)
{
	if (!avalanche_won(p, c, path))
		return RESULT_RUNNING;
	return c == WHITE ? RESULT_WHITE : RESULT_BLACK;
}

#define avalanche_fast_in_check fast_in_check

GAMES_INLINE uint64_t avalanche_fast_node(const struct game *g, const struct pos *p, int depth,
                                          enum color c, enum attacks_path path,
                                          struct fast_calls call)
{
	unsigned switches = avalanche_switches(g->options);
	bool waiting = avalanche_waiting(p, c);
	unsigned type = waiting ? QUEEN : PAWN; /* PAWN: nothing is named */
	uint64_t sum = 0;

	if (avalanche_won(p, c, path))
		return 0;
	do {
		struct pos named = *p;

		avalanche_name(&named, type);
		if (waiting && avalanche_won(&named, c, path))
			sum += depth == 1;
		else
			sum += plain(g, &named, depth, c, switches, path, call.next);
	} while (type-- > KNIGHT);
	return sum;
}

FAST_RULES_CAPTURES(avalanche_fast);
