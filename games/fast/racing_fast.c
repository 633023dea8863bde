#include "games/fast/racing_fast.h"

#include "games/fast/fast.h"

GAMES_INLINE void racing_fast_list(const struct game *, const struct pos *p, enum color c,
                                   enum attacks_path path, struct gen_list *l)
{
	gen_list_moves(p, c, 0, true, 0, path, l);
}

GAMES_INLINE bool racing_fast_apply(const struct game *, struct pos *p, struct move m, enum color c,
                                    enum attacks_path path)
{
	return racing_try(p, m, c, path);
}

GAMES_INLINE enum result racing_fast_leaf(const struct game *, const struct pos *p, enum color c,
                                          enum attacks_path path)
{
	return racing_result(p, c, path);
}

/* Nobody ever is. */
GAMES_INLINE bool racing_fast_in_check(const struct game *, const struct pos *, enum color,
                                       enum attacks_path)
{
	return false;
}

FAST_NODE(racing_fast)
FAST_RULES(racing_fast);
