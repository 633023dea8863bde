#include "games/losing.h"

/* Three shapes of the same code: nothing royal and no castling, royal and
 * castling, and the rest decided while running. */

typedef uint64_t perft_node(const struct losing *row, const struct pos *p, int depth);

GAMES_INLINE uint64_t count_leaf(const struct losing *row, const struct pos *p, enum color c,
                                 unsigned switches, bool royal, enum attacks_path path)
{
	unsigned promotions = bit_count(row->promotions, path);

	return gen_count_moves(p, c, switches, royal, promotions, path);
}

GAMES_INLINE uint64_t node(const struct losing *row, const struct pos *p, int depth, enum color c,
                           unsigned switches, bool royal, enum attacks_path path, perft_node *next)
{
	struct gen_list l;
	uint64_t sum = 0;

	if (depth == 1) {
		sum = count_leaf(row, p, c, switches, royal, path);
		return sum || !row->passes ? sum : losing_may_pass(row, p);
	}
	gen_list_moves(p, c, switches, royal, row->promotions, path, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos child = *p;

		gen_apply(&child, l.v[l.first + i], c, switches, NULL);
		sum += next(row, &child, depth - 1);
	}
	if (!l.n && losing_may_pass(row, p)) {
		struct pos child = *p;

		losing_pass(&child);
		sum = next(row, &child, depth - 1);
	}
	return sum;
}

#define NODE(name, color, switches, royal, path, next)                                             \
	static uint64_t name(const struct losing *row, const struct pos *p, int depth)             \
	{                                                                                          \
		if (losing_men_ended(row, p))                                                      \
			return 0;                                                                  \
		return node(row, p, depth, color, switches, royal, path, next);                    \
	}
#define PAIR(name, switches, royal, path, target)                                                  \
	target static perft_node name##_white, name##_black;                                       \
	target NODE(name##_white, WHITE, switches, royal(WHITE), path, name##_black) target NODE(  \
		name##_black, BLACK, switches, royal(BLACK), path, name##_white)

#define NEVER(c) false
#define ALWAYS(c) true
#define WHILE_RUNNING(c) losing_is_royal(row, p, c)
#define PLAIN_SWITCHES GEN_MUST_CAPTURE
#define ROYAL_SWITCHES (GEN_MUST_CAPTURE | GEN_CASTLE)

PAIR(plain_pext, PLAIN_SWITCHES, NEVER, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)
PAIR(plain_portable, PLAIN_SWITCHES, NEVER, ATTACKS_PORTABLE, )
PAIR(royal_pext, ROYAL_SWITCHES, ALWAYS, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)
PAIR(royal_portable, ROYAL_SWITCHES, ALWAYS, ATTACKS_PORTABLE, )
PAIR(other_pext, row->switches, WHILE_RUNNING, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)
PAIR(other_portable, row->switches, WHILE_RUNNING, ATTACKS_PORTABLE, )

static perft_node *const shapes[3][2][2] = {
	{ { plain_portable_white, plain_portable_black }, { plain_pext_white, plain_pext_black } },
	{ { royal_portable_white, royal_portable_black }, { royal_pext_white, royal_pext_black } },
	{ { other_portable_white, other_portable_black }, { other_pext_white, other_pext_black } },
};

uint64_t losing_perft_by(const struct losing *row, const struct pos *p, int depth,
                         enum attacks_path path)
{
	unsigned shape = 2;

	if (row->royal == ROYAL_NEVER && row->switches == PLAIN_SWITCHES)
		shape = 0;
	else if (row->royal == ROYAL_ALWAYS && row->switches == ROYAL_SWITCHES)
		shape = 1;
	return shapes[shape][path == ATTACKS_PEXT][p->to_move](row, p, depth);
}

uint64_t losing_perft(const struct game *g, const struct pos *p, int depth)
{
	return losing_perft_by(g->rules->variant, p, depth,
	                       attacks_have_pext() ? ATTACKS_PEXT : ATTACKS_PORTABLE);
}
