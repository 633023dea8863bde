#include "games/solve/solve_moves.h"

void successor_make(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                    enum color attacker, const struct move *m, struct successor *out)
{
	struct pos next = *p;

	fast->apply[p->to_move](g, &next, m);
	out->move = *m;
	out->key = key_of(&next, attacker);
	out->reversible = m->from == NO_SQUARE ||
	                  (!(m->flags & MOVE_CAPTURE) && (m->flags & MOVE_TYPE) != PAWN);
}

unsigned successors_list(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                         enum color attacker, struct successor *out)
{
	struct gen_list l;

	fast->list[p->to_move](g, p, &l);
	for (unsigned i = 0; i < l.n; i++)
		successor_make(g, fast, p, attacker, &l.v[l.first + i], &out[i]);
	return l.n;
}

/* The numbers of a position where somebody has won, or neither side has. */
static struct numbers numbers_end(enum result result, const struct pos *p, enum color attacker)
{
	bool attacker_won = result == (attacker == WHITE ? RESULT_WHITE : RESULT_BLACK);

	if (attacker_won == (p->to_move == attacker))
		return (struct numbers){ 0, NUMBER_MAX, 0 };
	return (struct numbers){ NUMBER_MAX, 0, 0 };
}

struct numbers numbers_guess(const struct game *g, const struct rules_fast *fast,
                             const struct pos *p, enum color attacker)
{
	unsigned n = fast->count[p->to_move](g, p);

	/* Nothing to move, or nothing left to win. */
	if (!n) {
		struct outcome o;

		g->rules->outcome(g, p, &o);
		if (o.result != RESULT_RUNNING)
			return numbers_end(o.result, p, attacker);
		n = 1;
	}
	return (struct numbers){ 1, n, 0 };
}
