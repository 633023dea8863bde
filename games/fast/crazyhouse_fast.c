#include "games/fast/crazyhouse_fast.h"

#include "games/fast/fast.h"

/* Adds the drops on these empty squares. */
GAMES_INLINE void crazyhouse_drops(const struct pos *p, enum color c, uint64_t squares,
                                   struct gen_list *l)
{
	for (unsigned type = PAWN; type < POCKET_TYPES; type++) {
		uint64_t to = type == PAWN ? squares & ~(RANK_1 | RANK_8) : squares;

		for (to = p->own[POCKET_TYPES * c + type] ? to : 0; to; to &= to - 1) {
			uint8_t sq = (uint8_t)bit_first(to);

			gen_list_add(l, (struct move){ .from = sq,
			                               .to = sq,
			                               .promo = NO_PIECE,
			                               .flags = (uint8_t)type,
			                               .own = { (uint8_t)type } });
		}
	}
}

/* Men may be put between a king and the man that gives check.  A list has room for them: of
 * each square, drops need it empty and captures need it taken. */
GAMES_INLINE void crazyhouse_fast_list(const struct game *, const struct pos *p, enum color c,
                                       enum attacks_path path, struct gen_list *l)
{
	struct gen_view v = gen_look(p, c, true);

	gen_list_open(l, p, c, PROMOTE_QRBN);
	gen_moves_seen(p, c, GEN_CASTLE, true, &v, path, gen_list_set, l);
	gen_list_close(l, 0);
	crazyhouse_drops(p, c, v.allowed & ~v.occ, l);
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
