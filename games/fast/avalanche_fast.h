/* Avalanche Chess: an orthodox move, then a push of an enemy pawn.  The
 * functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"

/* Bits of struct game .options, in the order of the option words. */
enum avalanche_option {
	AVALANCHE_BALANCED = 1 << 0,
	AVALANCHE_REVERSED = 1 << 1,
	AVALANCHE_STANDARD = 1 << 2
};

/* The bytes of struct move .own. */
enum avalanche_own {
	AVALANCHE_NAMED, /* the piece the waiting pawn becomes, or PAWN: none is named */
	AVALANCHE_PUSH   /* the square the pushed enemy pawn leaves, or 0: none is pushed */
};

/* No option means reversed. */
GAMES_INLINE unsigned avalanche_switches(unsigned options)
{
	bool reversed = !options || options & AVALANCHE_REVERSED;

	return GEN_CASTLE | GEN_NO_EP | (reversed ? GEN_REVERSED : 0);
}

/* The balanced game's very first turn has no push. */
GAMES_INLINE bool avalanche_pushes_now(unsigned options, const struct pos *p)
{
	return !(options & AVALANCHE_BALANCED && p->to_move == WHITE && p->fullmove == 1);
}

/* The enemy pawns that can be pushed after c's move m, which is not yet made. */
GAMES_INLINE uint64_t avalanche_pushable(const struct pos *p, struct move m, enum color c,
                                         unsigned switches)
{
	uint64_t occ = p->color[WHITE] | p->color[BLACK];

	occ = (occ & ~BIT(m.from)) | BIT(m.to);
	if (m.flags & MOVE_CASTLE) {
		const struct castle *k = gen_castle(c, switches, m.flags & MOVE_LONG);

		occ = (occ & ~BIT(k->rook_from)) | BIT(k->rook_to);
	}
	/* A pawn whose square one step toward c is free. */
	return p->type[PAWN] & p->color[!c] & ~BIT(m.to) & ~bits_forward(occ, c);
}

/* The pawn of c that was pushed onto its last rank and waits for its owner to
 * name the piece it becomes: a set of one square, or none. */
GAMES_INLINE uint64_t avalanche_waiting(const struct pos *p, enum color c)
{
	return p->type[PAWN] & p->color[c] & (c == WHITE ? RANK_8 : RANK_1);
}

/* Pushes the pawn that stands on from, of the side to move. */
GAMES_INLINE void avalanche_push(struct pos *p, unsigned from)
{
	enum color owner = p->to_move;
	uint64_t to = bits_forward(BIT(from), owner);

	p->color[owner] ^= BIT(from) | to;
	p->type[PAWN] ^= BIT(from) | to;
	p->halfmove = 0;
}

/* The waiting pawn of the side to move becomes a piece. */
GAMES_INLINE void avalanche_name(struct pos *p, unsigned type)
{
	uint64_t pawn = avalanche_waiting(p, p->to_move);

	p->type[PAWN] ^= pawn;
	p->type[type] ^= pawn;
}

/* Does the side to move win because the other one's push left its own king
 * attacked, or by the piece just named? */
GAMES_INLINE bool avalanche_won(const struct pos *p, enum color c, enum attacks_path path)
{
	return board_checked(p, !c, path);
}

extern const struct rules_fast avalanche_fast[2];
