/* Horde: the functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"

#define HORDE_SWITCHES GEN_CASTLE

extern const struct rules_fast horde_fast[2];

/* White has no king.  A white pawn on the first rank may go two squares, too; nobody takes it
 * in passing. */
GAMES_INLINE void horde_list(const struct pos *p, enum color c, enum attacks_path path,
                             struct gen_list *l)
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
