#include "games/fast/connected_fast.h"

#include "games/fast/fast.h"

const struct connected_board connected_boards[2] = {
	{ .size = { 8, 8 }, .beyond = 0, .switches = GEN_CASTLE | GEN_CASTLE_FREE },
	{ .size = { 4, 8 }, .beyond = UINT64_C(0xf0f0f0f0f0f0f0f0), .switches = 0 },
};

bool connected_wins_king(const struct pos *p, unsigned options, struct move *threat)
{
	enum color c = p->to_move;
	uint64_t kings = p->type[KING];
	struct gen_list l;

	connected_list(p, c, options, ATTACKS_PORTABLE, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct move m = l.v[l.first + i];
		struct connected_men stay = connected_staying(connected_moved(p, m, c), options);
		uint64_t king = (m.flags & MOVE_TYPE) == KING ? BIT(m.to) : kings & p->color[c];

		if (stay.own & king && !(stay.opp & kings & p->color[!c])) {
			if (threat)
				*threat = m;
			return true;
		}
	}
	return false;
}

/* The same position with the other side to move. */
static struct pos handed_over(const struct pos *p)
{
	struct pos q = *p;

	q.to_move = !q.to_move;
	q.ep = NO_SQUARE;
	return q;
}

bool connected_in_check(const struct pos *p, unsigned options)
{
	enum color c = p->to_move;
	struct connected_men men = { p->color[c], p->color[!c] };
	enum connected_verdict verdict = connected_judge(p, men, bit_first(p->type[KING] & men.own),
	                                                 c, 0, options, ATTACKS_PORTABLE);
	struct pos q;

	if (verdict != KING_UNSURE)
		return verdict == KING_THREATENED;
	q = handed_over(p);
	return connected_wins_king(&q, options, NULL);
}

GAMES_INLINE void connected_fast_list(const struct game *g, const struct pos *p, enum color c,
                                      enum attacks_path path, struct gen_list *l)
{
	connected_list(p, c, g->options, path, l);
}

GAMES_INLINE bool connected_fast_apply(const struct game *g, struct pos *p, struct move m,
                                       enum color c, enum attacks_path path)
{
	if (!connected_is_legal(p, m, c, g->options, path))
		return false;
	connected_apply(p, m, c, g->options, NULL);
	return true;
}

GAMES_INLINE enum result connected_fast_leaf(const struct game *, const struct pos *p, enum color,
                                             enum attacks_path)
{
	return connected_is_diad(p) ? RESULT_DRAW : RESULT_RUNNING;
}

GAMES_INLINE bool connected_fast_in_check(const struct game *g, const struct pos *p, enum color,
                                          enum attacks_path)
{
	return connected_in_check(p, g->options);
}

GAMES_INLINE uint64_t connected_fast_node(const struct game *g, const struct pos *p, int depth,
                                          enum color c, enum attacks_path path,
                                          struct fast_calls call)
{
	unsigned options = g->options;
	struct gen_list l;
	uint64_t sum = 0;

	if (connected_is_diad(p))
		return 0;
	call.list(g, p, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct move m = l.v[l.first + i];
		struct pos child;

		if (!connected_is_legal(p, m, c, options, path))
			continue;
		if (depth == 1) {
			sum++;
			continue;
		}
		child = *p;
		connected_apply(&child, m, c, options, NULL);
		sum += call.next(g, &child, depth - 1);
	}
	return sum;
}

FAST_RULES(connected_fast);
