/* The men on a board, and whether they attack a square. */
#pragma once

#include "games/attacks.h"
#include "games/rules.h"

/* The man on sq; its type is NO_PIECE when sq is empty. */
struct man board_man(const struct pos *p, unsigned sq);
/* Puts a man on an empty square. */
void board_put(struct pos *p, unsigned sq, enum color c, unsigned type);

/* Does a man of colour by, among those of the set men, attack sq when the
 * squares occ are occupied? */
GAMES_INLINE bool board_attacked(const struct pos *p, unsigned sq, enum color by, uint64_t occ,
                                 uint64_t men, enum attacks_path path)
{
	uint64_t opp = p->color[by] & men;

	if (attacks_knight[sq] & p->type[KNIGHT] & opp || attacks_king[sq] & p->type[KING] & opp ||
	    attacks_pawns(BIT(sq), !by) & p->type[PAWN] & opp)
		return true;
	return attacks_bishop(sq, occ, path) & (p->type[BISHOP] | p->type[QUEEN]) & opp ||
	       attacks_rook(sq, occ, path) & (p->type[ROOK] | p->type[QUEEN]) & opp;
}

/* The same as a function of its own, for questions that are too rare to be copied into each hot loop. */
bool board_attacks(const struct pos *p, unsigned sq, enum color by, uint64_t occ, uint64_t men);

/* Is c's king attacked by the other side?  c has exactly one. */
GAMES_INLINE bool board_checked(const struct pos *p, enum color c, enum attacks_path path)
{
	return board_attacked(p, bit_first(p->type[KING] & p->color[c]), !c,
	                      p->color[WHITE] | p->color[BLACK], ~UINT64_C(0), path);
}

/* The same for a side that may have no king: false then. */
bool board_king_attacked(const struct pos *p, enum color c);

GAMES_INLINE unsigned square_file(unsigned sq)
{
	return sq & 7;
}

GAMES_INLINE unsigned square_rank(unsigned sq)
{
	return sq >> 3;
}

/* The rank where a pawn of colour c promotes. */
GAMES_INLINE unsigned board_last_rank(enum color c)
{
	return c == WHITE ? 7 : 0;
}

/* "e4" to out. */
void square_write(unsigned sq, struct str *out);
/* The same in a buffer of the block at hand. */
#define SQUARE(sq) PRINTED(3, "%c%c", 'a' + square_file(sq), '1' + square_rank(sq))

/* "pawn" … "king". */
extern const char *const piece_names[PIECE_TYPES];
/* Letters of White's men, in the order of enum piece_type: "PNBRQK". */
extern const char piece_letters[];
/* 'P' of White, 'p' of Black. */
char piece_letter(enum color c, unsigned type);
/* enum piece_type by letter, either case; NO_PIECE for others. */
unsigned piece_by_letter(char c);
