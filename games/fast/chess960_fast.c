#include "games/fast/chess960_fast.h"

#include "games/fast/fast.h"

GAMES_INLINE void chess960_fast_list(const struct game *, const struct pos *p, enum color c,
                                     enum attacks_path path, struct gen_list *l)
{
	gen_list_moves(p, c, 0, true, PROMOTE_QRBN, path, l);
	for (unsigned wing = 0; wing < 2; wing++) {
		struct castle k = chess960_castle(p, c, wing);

		if (p->castling >> chess960_right(c, wing) & 1 && !chess960_blockers(p, &k) &&
		    !chess960_is_attacked(p, c, &k, path))
			gen_list_add(l, (struct move){ .from = (uint8_t)k.king_from,
			                               .to = (uint8_t)k.rook_from,
			                               .promo = NO_PIECE,
			                               .flags = KING | MOVE_CASTLE |
			                                        (wing ? MOVE_LONG : 0) });
	}
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
