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

GAMES_INLINE uint64_t node(const struct game *g, const struct pos *p, int depth, enum color c,
                           enum attacks_path path, fast_perft *next)
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

FAST_RULES(avalanche_fast, node);
