/* Chess960: the functions that its rules and its perft share.  A castling move goes from the
 * king's square to that of its rook. */
#pragma once

#include "games/orthodox.h"

extern const struct rules_fast chess960_fast[2];

/* The number of a castling right: bit n of struct pos .castling, and struct pos .own[n] is the
 * file of its rook, 0 without the right. */
GAMES_INLINE unsigned chess960_right(enum color c, bool wing_long)
{
	return 2u * c + wing_long;
}

GAMES_INLINE void chess960_drop(struct pos *p, unsigned right)
{
	p->castling &= (uint8_t) ~(1u << right);
	p->own[right] = 0;
}

/* The squares of king and rook when a side castles. */
GAMES_INLINE struct castle chess960_castle(const struct pos *p, enum color c, bool wing_long)
{
	unsigned rank = c == WHITE ? 0 : 56;

	return (struct castle){
		.king_from = (uint8_t)bit_first(p->type[KING] & p->color[c]),
		.king_to = (uint8_t)(rank + (wing_long ? 2 : 6)),
		.rook_from = (uint8_t)(rank + p->own[chess960_right(c, wing_long)]),
		.rook_to = (uint8_t)(rank + (wing_long ? 3 : 5)),
	};
}

/* The squares from one to another of a rank, both included. */
GAMES_INLINE uint64_t chess960_span(unsigned a, unsigned b)
{
	unsigned low = a < b ? a : b, high = a < b ? b : a;

	return (2 * BIT(high) - 1) & ~(BIT(low) - 1);
}

/* The men in the way. */
GAMES_INLINE uint64_t chess960_blockers(const struct pos *p, const struct castle *k)
{
	uint64_t occ = p->color[WHITE] | p->color[BLACK];

	return (chess960_span(k->king_from, k->king_to) | chess960_span(k->rook_from, k->rook_to)) &
	       occ & ~(BIT(k->king_from) | BIT(k->rook_from));
}

/* Is a square attacked on which the king stands, or over which it goes?  The one that it reaches
 * may have been covered by the rook. */
GAMES_INLINE bool chess960_is_attacked(const struct pos *p, enum color c, const struct castle *k,
                                       enum attacks_path path)
{
	uint64_t occ = (p->color[WHITE] | p->color[BLACK]) & ~BIT(k->king_from);
	uint64_t last = (occ & ~BIT(k->rook_from)) | BIT(k->rook_to);

	for (uint64_t s = chess960_span(k->king_from, k->king_to); s; s &= s - 1)
		if (board_attacked(p, bit_first(s), !c, occ, ~UINT64_C(0), path))
			return true;
	return board_attacked(p, k->king_to, !c, last, ~UINT64_C(0), path);
}

GAMES_INLINE void chess960_make_castle(struct pos *p, struct move m, enum color c)
{
	struct castle k = chess960_castle(p, c, m.flags & MOVE_LONG);

	p->color[c] &= ~(BIT(k.king_from) | BIT(k.rook_from));
	p->color[c] |= BIT(k.king_to) | BIT(k.rook_to);
	p->type[KING] = (p->type[KING] & ~BIT(k.king_from)) | BIT(k.king_to);
	p->type[ROOK] = (p->type[ROOK] & ~BIT(k.rook_from)) | BIT(k.rook_to);
	p->ep = NO_SQUARE;
	p->halfmove++;
	p->fullmove += c == BLACK;
	p->to_move = (uint8_t)!c;
}

/* Ends the rights whose rook has left or was taken, and both of a side whose king has moved. */
GAMES_INLINE void chess960_drop_rights(struct pos *p, struct move m, enum color c)
{
	for (unsigned right = 0; right < 4; right++) {
		unsigned rook = p->own[right] + (right < 2 ? 0u : 56u);
		bool king = (m.flags & MOVE_TYPE) == KING && right / 2 == c;

		if (p->castling >> right & 1 && (king || m.from == rook || m.to == rook))
			chess960_drop(p, right);
	}
}

GAMES_INLINE void chess960_make(struct pos *p, struct move m, enum color c, struct man *captured)
{
	if (m.flags & MOVE_CASTLE)
		chess960_make_castle(p, m, c);
	else
		gen_apply(p, m, c, 0, captured);
	if (p->castling)
		chess960_drop_rights(p, m, c);
}
