#include "games/fast/horde_fast.h"

#include "games/fast/fast.h"

GAMES_INLINE void horde_fast_list(const struct game *, const struct pos *p, enum color c,
                                  enum attacks_path path, struct gen_list *l)
{
	horde_list(p, c, path, l);
}

GAMES_INLINE bool horde_fast_apply(const struct game *, struct pos *p, struct move m, enum color c,
                                   enum attacks_path)
{
	gen_apply(p, m, c, HORDE_SWITCHES, NULL);
	return true;
}

GAMES_INLINE enum result horde_fast_leaf(const struct game *, const struct pos *p, enum color,
                                         enum attacks_path)
{
	return p->color[WHITE] ? RESULT_RUNNING : RESULT_BLACK;
}

GAMES_INLINE bool horde_fast_in_check(const struct game *, const struct pos *p, enum color c,
                                      enum attacks_path path)
{
	return c == BLACK && board_checked(p, c, path);
}

FAST_NODE(horde_fast)
FAST_RULES(horde_fast);
