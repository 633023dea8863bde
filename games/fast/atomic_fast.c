#include "games/fast/atomic_fast.h"

#include "games/fast/fast.h"

GAMES_INLINE void atomic_fast_list(const struct game *, const struct pos *p, enum color c,
                                   enum attacks_path path, struct gen_list *l)
{
	atomic_shapes(p, c, path, l);
}

GAMES_INLINE bool atomic_fast_apply(const struct game *, struct pos *p, struct move m, enum color c,
                                    enum attacks_path path)
{
	return atomic_try(p, m, c, path);
}

GAMES_INLINE enum result atomic_fast_leaf(const struct game *, const struct pos *p, enum color c,
                                          enum attacks_path)
{
	if (atomic_king(p, c))
		return RESULT_RUNNING;
	return c == WHITE ? RESULT_BLACK : RESULT_WHITE;
}

GAMES_INLINE bool atomic_fast_in_check(const struct game *, const struct pos *p, enum color c,
                                       enum attacks_path path)
{
	return atomic_king_in_check(p, c, path);
}

FAST_NODE(atomic_fast)
FAST_RULES(atomic_fast);
