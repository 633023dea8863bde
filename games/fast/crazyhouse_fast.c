#include "games/fast/crazyhouse_fast.h"

#include "games/fast/fast.h"

GAMES_INLINE void crazyhouse_fast_list(const struct game *, const struct pos *p, enum color c,
                                       enum attacks_path path, struct gen_list *l)
{
	crazyhouse_list(p, c, path, l);
}

GAMES_INLINE bool crazyhouse_fast_apply(const struct game *, struct pos *p, struct move m,
                                        enum color c, enum attacks_path)
{
	crazyhouse_make(p, m, c, NULL);
	return true;
}

#define crazyhouse_fast_leaf fast_running
#define crazyhouse_fast_in_check fast_in_check

FAST_NODE(crazyhouse_fast)
FAST_RULES(crazyhouse_fast);
