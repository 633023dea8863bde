#include "games/avalanche.h"

typedef uint64_t perft_node(unsigned options, const struct pos *p, int depth);

/* All turns that begin with this move. */
GAMES_INLINE uint64_t turns_with(unsigned options, const struct pos *p, struct move m, int depth,
                                 enum color c, unsigned switches, enum attacks_path path,
                                 perft_node *next)
{
	uint64_t pushable = 0, sum = 0;

	if (avalanche_pushes_now(options, p))
		pushable = avalanche_pushable(p, m, c, switches);
	if (depth == 1)
		return pushable ? bit_count(pushable, path) : 1;

	struct pos moved = *p;

	gen_apply(&moved, m, c, switches, NULL);
	if (!pushable)
		return next(options, &moved, depth - 1);
	for (; pushable; pushable &= pushable - 1) {
		struct pos child = moved;

		avalanche_push(&child, bit_first(pushable));
		sum += next(options, &child, depth - 1);
	}
	return sum;
}

/* A position in which no promotion is owed. */
GAMES_INLINE uint64_t plain(unsigned options, const struct pos *p, int depth, enum color c,
                            unsigned switches, enum attacks_path path, perft_node *next)
{
	struct gen_list l;
	uint64_t sum = 0;

	gen_list_moves(p, c, switches, true, PROMOTE_QRBN, path, &l);
	for (unsigned i = 0; i < l.n; i++)
		sum += turns_with(options, p, l.v[l.first + i], depth, c, switches, path, next);
	return sum;
}

GAMES_INLINE uint64_t node(unsigned options, const struct pos *p, int depth, enum color c,
                           enum attacks_path path, perft_node *next)
{
	unsigned switches = avalanche_switches(options);
	uint64_t sum = 0;

	if (avalanche_won(p, c, path))
		return 0;
	if (p->waiting == NO_SQUARE)
		return plain(options, p, depth, c, switches, path, next);
	for (unsigned left = PROMOTE_QRBN; left; left &= left - 1) {
		struct pos named = *p;

		avalanche_name(&named, bit_first(left));
		if (avalanche_won(&named, c, path))
			sum += depth == 1;
		else
			sum += plain(options, &named, depth, c, switches, path, next);
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

uint64_t avalanche_perft_by(unsigned options, const struct pos *p, int depth,
                            enum attacks_path path)
{
	return nodes[path == ATTACKS_PEXT][p->to_move](options, p, depth);
}

uint64_t avalanche_perft(const struct game *g, const struct pos *p, int depth)
{
	return avalanche_perft_by(g->options, p, depth,
	                          attacks_have_pext() ? ATTACKS_PEXT : ATTACKS_PORTABLE);
}
