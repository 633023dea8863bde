#include "games/fast/horde_fast.h"

#include "games/fast/fast.h"

/* White has no king.  A white pawn on the first rank may go two squares, too; nobody takes it
 * in passing. */
GAMES_INLINE void horde_fast_list(const struct game *, const struct pos *p, enum color c,
                                  enum attacks_path path, struct gen_list *l)
{
	uint64_t empty = ~(p->color[WHITE] | p->color[BLACK]);
	uint64_t step = (p->type[PAWN] & p->color[WHITE] & RANK_1) << 8 & empty;

	gen_list_moves(p, c, HORDE_SWITCHES, c == BLACK, PROMOTE_QRBN, path, l);
	for (uint64_t to = c == WHITE ? step << 8 & empty : 0; to; to &= to - 1)
		gen_list_add(l, (struct move){ .from = (uint8_t)(bit_first(to) - 16),
		                               .to = (uint8_t)bit_first(to),
		                               .promo = NO_PIECE,
		                               .flags = PAWN });
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
