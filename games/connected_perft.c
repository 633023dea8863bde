#include "games/connected.h"

typedef uint64_t perft_node(unsigned options, const struct pos *p, int depth);

GAMES_INLINE uint64_t node(unsigned options, const struct pos *p, int depth, enum color c,
                           enum attacks_path path, perft_node *next)
{
	struct gen_list l;
	uint64_t sum = 0;

	if (connected_is_diad(p))
		return 0;
	connected_list(p, c, options, path, &l);
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
		sum += next(options, &child, depth - 1);
	}
	return sum;
}

#define NODE(name, color, path, next)                                                              \
	static uint64_t name(unsigned options, const struct pos *p, int depth)                     \
	{                                                                                          \
		return node(options, p, depth, color, path, next);                                 \
	}

ATTACKS_PEXT_TARGET static perft_node white_pext, black_pext;
ATTACKS_PEXT_TARGET NODE(white_pext, WHITE, ATTACKS_PEXT, black_pext)
ATTACKS_PEXT_TARGET NODE(black_pext, BLACK, ATTACKS_PEXT,
                         white_pext) static perft_node white_portable,
	black_portable;
NODE(white_portable, WHITE, ATTACKS_PORTABLE, black_portable)
NODE(black_portable, BLACK, ATTACKS_PORTABLE, white_portable)

static perft_node *const nodes[2][2] = {
	{ white_portable, black_portable },
	{ white_pext, black_pext },
};

uint64_t connected_perft_by(unsigned options, const struct pos *p, int depth,
                            enum attacks_path path)
{
	return nodes[path == ATTACKS_PEXT][p->to_move](options, p, depth);
}

uint64_t connected_perft(const struct game *g, const struct pos *p, int depth)
{
	return connected_perft_by(g->options, p, depth,
	                          attacks_have_pext() ? ATTACKS_PEXT : ATTACKS_PORTABLE);
}
