#include "games/fast/chess_fast.h"

#include "games/fast/fast.h"
#include "games/orthodox.h"

GAMES_INLINE void chess_fast_list(const struct game *, const struct pos *p, enum color c,
                                  enum attacks_path path, struct gen_list *l)
{
	gen_list_moves(p, c, GEN_CASTLE, true, PROMOTE_QRBN, path, l);
}

GAMES_INLINE bool chess_fast_apply(const struct game *, struct pos *p, struct move m, enum color c,
                                   enum attacks_path)
{
	gen_apply(p, m, c, GEN_CASTLE, NULL);
	return true;
}

#define chess_fast_leaf fast_running
#define chess_fast_in_check fast_in_check

GAMES_INLINE uint64_t chess_fast_node(const struct game *g, const struct pos *p, int depth,
                                      enum color c, enum attacks_path path, struct fast_calls call)
{
	struct gen_list l;
	uint64_t sum = 0;

	if (depth == 1)
		return gen_count_moves(p, c, GEN_CASTLE, true, 4, path);
	call.list(g, p, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos child = *p;

		chess_fast_apply(g, &child, l.v[l.first + i], c, path);
		sum += call.next(g, &child, depth - 1);
	}
	return sum;
}

FAST_RULES(chess_fast);

GAMES_INLINE bool threecheck_fast_apply(const struct game *g, struct pos *p, struct move m,
                                        enum color c, enum attacks_path path)
{
	chess_fast_apply(g, p, m, c, path);
	p->own[c] = (uint8_t)(p->own[c] + board_checked(p, !c, path));
	return true;
}

FAST_LEAF(threecheck_fast, threecheck_has_won(p, !c))

FAST_NODE(threecheck_fast)
FAST_RULES_LISTING(threecheck_fast, chess_fast);

#define hill_fast_apply chess_fast_apply

FAST_LEAF(hill_fast, hill_has_won(p, !c))

FAST_NODE(hill_fast)
FAST_RULES_LISTING(hill_fast, chess_fast);
