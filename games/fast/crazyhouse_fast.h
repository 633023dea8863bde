/* Crazyhouse: the functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"
#include "games/pocket.h"

extern const struct rules_fast crazyhouse_fast[2];

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
GAMES_INLINE void crazyhouse_list(const struct pos *p, enum color c, enum attacks_path path,
                                  struct gen_list *l)
{
	struct gen_view v = gen_look(p, c, true);

	gen_list_open(l, p, c, PROMOTE_QRBN);
	gen_moves_seen(p, c, GEN_CASTLE, true, &v, path, gen_list_set, l);
	gen_list_close(l, 0);
	crazyhouse_drops(p, c, v.allowed & ~v.occ, l);
}

/* A captured man goes into the pocket, as a pawn if it was one once. */
GAMES_INLINE void crazyhouse_make(struct pos *p, struct move m, enum color c, struct man *captured)
{
	uint64_t promoted = pocket_promoted(p), from = BIT(m.from), to = BIT(m.to);
	struct man taken = { .type = NO_PIECE };

	gen_apply(p, m, c, GEN_CASTLE, &taken);
	if (taken.type != NO_PIECE)
		pocket_of(p, c)[BIT(taken.square) & promoted ? PAWN : taken.type]++;
	if (move_is_drop(&m))
		pocket_of(p, c)[m.flags & MOVE_TYPE]--;
	if (captured && taken.type != NO_PIECE)
		*captured = taken;
	bool stays = promoted & from || m.promo != NO_PIECE;
	promoted &= ~(from | to);
	pocket_set_promoted(p, stays ? promoted | to : promoted);
}
