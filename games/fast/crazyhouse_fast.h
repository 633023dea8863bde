/* Crazyhouse: the functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"
#include "games/pocket.h"

extern const struct rules_fast crazyhouse_fast[2];

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
