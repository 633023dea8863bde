#include "games/solve_moves.h"

#include "games/orthodox.h"

/* Three shapes by two flavours of attacks, as in losing_perft.c. */
#define COUNT(name, color, switches, royal, path)                                                  \
	static unsigned name(const struct losing *row, const struct pos *p)                        \
	{                                                                                          \
		unsigned promotions = bit_count(row->promotions, path);                            \
		return gen_count_moves(p, color, switches, royal, promotions, path);               \
	}
#define LIST(name, color, switches, royal, path)                                                   \
	static void name(const struct losing *row, const struct pos *p, struct gen_list *l)        \
	{                                                                                          \
		gen_list_moves(p, color, switches, royal, row->promotions, path, l);               \
	}
#define SHAPE(name, switches, royal, path, target)                                                 \
	target COUNT(name##_count_white, WHITE, switches, royal(WHITE), path)                      \
	target COUNT(name##_count_black, BLACK, switches, royal(BLACK), path)                      \
	target LIST(name##_list_white, WHITE, switches, royal(WHITE), path)                        \
	target LIST(name##_list_black, BLACK, switches, royal(BLACK), path)

#define NEVER(c) false
#define ALWAYS(c) true
#define WHILE_RUNNING(c) losing_is_royal(row, p, c)
#define PLAIN_SWITCHES GEN_MUST_CAPTURE
#define ROYAL_SWITCHES (GEN_MUST_CAPTURE | GEN_CASTLE)

SHAPE(plain_pext, PLAIN_SWITCHES, NEVER, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)
SHAPE(plain_portable, PLAIN_SWITCHES, NEVER, ATTACKS_PORTABLE, )
SHAPE(royal_pext, ROYAL_SWITCHES, ALWAYS, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)
SHAPE(royal_portable, ROYAL_SWITCHES, ALWAYS, ATTACKS_PORTABLE, )
SHAPE(other_pext, row->switches, WHILE_RUNNING, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)
SHAPE(other_portable, row->switches, WHILE_RUNNING, ATTACKS_PORTABLE, )

#define ROW(name)                                                                                  \
	{                                                                                          \
		{ name##_count_white, name##_count_black },                                        \
		{                                                                                  \
			name##_list_white, name##_list_black                                       \
		}                                                                                  \
	}
static const struct shape shapes[3][2] = {
	{ ROW(plain_portable), ROW(plain_pext) },
	{ ROW(royal_portable), ROW(royal_pext) },
	{ ROW(other_portable), ROW(other_pext) },
};

const struct shape *shape_of(const struct losing *row)
{
	unsigned shape = 2;

	if (row->royal == ROYAL_NEVER && row->switches == PLAIN_SWITCHES)
		shape = 0;
	else if (row->royal == ROYAL_ALWAYS && row->switches == ROYAL_SWITCHES)
		shape = 1;
	return &shapes[shape][attacks_have_pext()];
}

void child_play(const struct losing *row, struct pos *p, const struct move *m)
{
	if (m->from == NO_SQUARE)
		losing_pass(p);
	else
		gen_apply(p, *m, p->to_move, row->switches, NULL);
}

void child_make(const struct losing *row, const struct pos *p, enum color attacker,
                const struct move *m, struct child *out)
{
	struct pos next = *p;

	child_play(row, &next, m);
	out->move = *m;
	out->key = key_of(&next, attacker);
	out->reversible = m->from == NO_SQUARE ||
	                  (!(m->flags & MOVE_CAPTURE) && (m->flags & MOVE_TYPE) != PAWN);
}

unsigned children_list(const struct shape *shape, const struct losing *row, const struct pos *p,
                       enum color attacker, struct child *out)
{
	struct gen_list l;

	shape->list[p->to_move](row, p, &l);
	for (unsigned i = 0; i < l.n; i++)
		child_make(row, p, attacker, &l.v[l.first + i], &out[i]);
	if (l.n || !losing_may_pass(row, p))
		return l.n;
	child_make(row, p, attacker, &move_none, out);
	return 1;
}

/* The numbers of a position where somebody has won, or neither side has. */
static struct numbers numbers_end(enum result result, const struct pos *p, enum color attacker)
{
	bool attacker_won = result == (attacker == WHITE ? RESULT_WHITE : RESULT_BLACK);

	if (attacker_won == (p->to_move == attacker))
		return (struct numbers){ 0, NUMBER_MAX, 0 };
	return (struct numbers){ NUMBER_MAX, 0, 0 };
}

struct numbers numbers_guess(const struct shape *shape, const struct game *g, const struct pos *p,
                             enum color attacker)
{
	const struct losing *row = g->rules->variant;
	uint64_t men = p->color[WHITE] | p->color[BLACK];
	unsigned n = losing_men_ended(row, p) ? 0 : shape->count[p->to_move](row, p);

	/* Nothing to move, or perhaps nothing left to win. */
	if (!n || men == p->type[BISHOP]) {
		struct outcome o;

		g->rules->outcome(g, p, &o);
		if (o.result != RESULT_RUNNING)
			return numbers_end(o.result, p, attacker);
		n += !n;
	}
	return (struct numbers){ 1, n, 0 };
}
