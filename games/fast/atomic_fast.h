/* Atomic chess: a capture explodes.  The functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"

#define ATOMIC_SWITCHES GEN_CASTLE

GAMES_INLINE uint64_t atomic_king(const struct pos *p, enum color c)
{
	return p->type[KING] & p->color[c];
}

/* Would a king of c on sq stand in check?  Kings take nothing and so attack
 * nothing.  Beside the enemy king nothing can take it: its king would explode,
 * too. */
GAMES_INLINE bool atomic_threatened(const struct pos *p, enum color c, unsigned sq,
                                    enum attacks_path path)
{
	if (attacks_king[sq] & atomic_king(p, !c))
		return false;
	return board_attacked(p, sq, !c, p->color[WHITE] | p->color[BLACK], ~p->type[KING], path);
}

GAMES_INLINE bool atomic_king_in_check(const struct pos *p, enum color c, enum attacks_path path)
{
	return atomic_king(p, c) && atomic_threatened(p, c, bit_first(atomic_king(p, c)), path);
}

/* The men that a capture on this square takes with it. */
GAMES_INLINE uint64_t atomic_blast(const struct pos *p, unsigned sq)
{
	uint64_t men = p->color[WHITE] | p->color[BLACK];

	return (BIT(sq) | (attacks_king[sq] & ~p->type[PAWN])) & men;
}

/* Makes c's move m and its explosion. */
GAMES_INLINE void atomic_make(struct pos *p, struct move m, enum color c, struct effects *fx)
{
	uint64_t gone;

	gen_apply(p, m, c, ATOMIC_SWITCHES, fx ? &fx->captured : NULL);
	if (!(m.flags & MOVE_CAPTURE))
		return;
	gone = atomic_blast(p, m.to);
	for (uint64_t left = fx ? gone : 0; left; left &= left - 1)
		fx->removed[fx->removed_count++] = board_man(p, bit_first(left));
	p->color[WHITE] &= ~gone;
	p->color[BLACK] &= ~gone;
	for (unsigned type = PAWN; type <= KING; type++)
		p->type[type] &= ~gone;
	p->castling &= (uint8_t)~gen_rights_lost(gone, ATOMIC_SWITCHES);
}

extern const struct rules_fast atomic_fast[2];
