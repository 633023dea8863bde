#include "games/fast/chess_fast.h"

#include "games/fast/fast.h"
#include "games/orthodox.h"

GAMES_INLINE uint64_t node(const struct game *g, const struct pos *p, int depth, enum color c,
                           enum attacks_path path, fast_perft *next)
{
	struct gen_list l;
	uint64_t sum = 0;

	if (depth == 1)
		return gen_count_moves(p, c, GEN_CASTLE, true, 4, path);
	gen_list_moves(p, c, GEN_CASTLE, true, PROMOTE_QRBN, path, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos child = *p;

		gen_apply(&child, l.v[l.first + i], c, GEN_CASTLE, NULL);
		sum += next(g, &child, depth - 1);
	}
	return sum;
}

FAST_RULES(chess_fast, node);
