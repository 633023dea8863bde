#include "games/fast/racing_fast.h"

#include "games/fast/fast.h"

GAMES_INLINE void racing_fast_list(const struct game *, const struct pos *p, enum color c,
                                   enum attacks_path path, struct gen_list *l)
{
	gen_list_moves(p, c, 0, true, 0, path, l);
}

#define racing_fast_apply(g, p, m, c, path) ((void)(g), racing_try(p, m, c, path))
#define racing_fast_leaf(g, p, c, path) ((void)(g), racing_result(p, c, path))
#define racing_fast_in_check fast_unchecked

FAST_NODE(racing_fast)
FAST_RULES(racing_fast);
