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
                             enum color c, enum attacks_path path, struct gen_list *out)
{
	unsigned switches = avalanche_switches(g->options);
	bool pushes = avalanche_pushes_now(g->options, p);
	struct gen_list l;

	gen_list_moves(p, c, switches, true, PROMOTE_QRBN, path, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct move m = l.v[l.first + i];
		uint64_t pushable = pushes ? avalanche_pushable(p, m, c, switches) : 0;

		if (!pushable)
			add_turn(out, m, named, 0);
		for (; pushable; pushable &= pushable - 1)
			add_turn(out, m, named, bit_first(pushable));
	}
}

GAMES_INLINE void avalanche_fast_list(const struct game *g, const struct pos *p, enum color c,
                                      enum attacks_path path, struct gen_list *l)
{
	l->first = l->n = l->captures = 0;
	if (!avalanche_waiting(p, c)) {
		list_turns(g, p, PAWN, c, path, l);
		return;
	}
	for (unsigned type = QUEEN; type >= KNIGHT; type--) {
		struct pos named = *p;

		avalanche_name(&named, type);
		if (avalanche_won(&named, c, path))
			add_turn(l, move_none, type, 0);
		else
			list_turns(g, &named, type, c, path, l);
	}
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

GAMES_INLINE bool avalanche_fast_in_check(const struct game *, const struct pos *p, enum color c,
                                          enum attacks_path path)
{
	return board_attacked(p, bit_first(p->type[KING] & p->color[c]), !c,
	                      p->color[WHITE] | p->color[BLACK], ~UINT64_C(0), path);
}

GAMES_INLINE uint64_t avalanche_fast_node(const struct game *g, const struct pos *p, int depth,
                                          enum color c, enum attacks_path path, fast_perft *next)
{
	unsigned switches = avalanche_switches(g->options);
	uint64_t sum = 0;

	if (avalanche_won(p, c, path))
		return 0;
	if (!avalanche_waiting(p, c))
		return plain(g, p, depth, c, switches, path, next);
	for (unsigned left = PROMOTE_QRBN; left; left &= left - 1) {
		struct pos named = *p;

		avalanche_name(&named, bit_first(left));
		if (avalanche_won(&named, c, path))
			sum += depth == 1;
		else
			sum += plain(g, &named, depth, c, switches, path, next);
	}
	return sum;
}

FAST_RULES(avalanche_fast);
