#include "games/fast/chess960_fast.h"

#include "games/fast/fast.h"

GAMES_INLINE void chess960_fast_list(const struct game *, const struct pos *p, enum color c,
                                     enum attacks_path path, struct gen_list *l)
{
	chess960_list(p, c, path, l);
}

GAMES_INLINE bool chess960_fast_apply(const struct game *, struct pos *p, struct move m,
                                      enum color c, enum attacks_path)
{
	chess960_make(p, m, c, NULL);
	return true;
}

#define chess960_fast_leaf fast_running
#define chess960_fast_in_check fast_in_check

FAST_NODE(chess960_fast)
FAST_RULES(chess960_fast);
