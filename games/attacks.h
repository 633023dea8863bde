/* Squares that men attack.  All tables are constants; sliding attacks come in two flavours with
 * the same answers: PEXT for processors that have it in hardware, and plain arithmetic
 * (obstruction difference) for the others.  The flavour is a compile-time constant at every use,
 * so that the hot loops of perft carry no test. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/rules.h"

/* For functions that the compiler must copy into their caller, so that constant
 * arguments cost nothing at run time. */
#define GAMES_INLINE static inline __attribute__((always_inline, unused))

enum attacks_path { ATTACKS_PORTABLE, ATTACKS_PEXT };

/* The instruction sets of ATTACKS_PEXT: put before a function that passes that constant down.
 * Such a function may only be called when attacks_have_pext() says so. */
#if defined(__x86_64__)
#define ATTACKS_PEXT_TARGET __attribute__((target("bmi,bmi2,lzcnt,popcnt")))
#else
#define ATTACKS_PEXT_TARGET
#endif

/* Has this processor PEXT, and not in microcode? */
bool attacks_have_pext(void);

enum attacks_line { LINE_RANK, LINE_FILE, LINE_DIAGONAL, LINE_ANTI, LINES };

extern const uint64_t attacks_knight[64];
extern const uint64_t attacks_king[64];
/* The four lines through a square, without the square itself. */
extern const uint64_t attacks_lines[64][LINES];
/* The number of squares of the line that have lower numbers. */
extern const uint8_t attacks_below[64][LINES];
/* Attacked part of a line of seven other squares, by attacks_below and the
 * occupied ones among the seven. */
extern const uint8_t attacks_span[8][128];

#define BIT(sq) (UINT64_C(1) << (sq))
#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H UINT64_C(0x8080808080808080)
#define RANK_1 UINT64_C(0xff)
#define RANK_8 (UINT64_C(0xff) << 56)

/* Index of the lowest man; b is not 0. */
GAMES_INLINE unsigned bit_first(uint64_t b)
{
	return (unsigned)__builtin_ctzll(b);
}

GAMES_INLINE unsigned bit_count(uint64_t b, enum attacks_path path)
{
	if (path == ATTACKS_PEXT)
		return (unsigned)__builtin_popcountll(b);
	b -= b >> 1 & UINT64_C(0x5555555555555555);
	b = (b & UINT64_C(0x3333333333333333)) + (b >> 2 & UINT64_C(0x3333333333333333));
	b = (b + (b >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(b * UINT64_C(0x0101010101010101) >> 56);
}

#if defined(__x86_64__)
/* Assembly, because the compilers refuse the intrinsics in a function that is
 * not itself compiled for BMI2, even one that is always inlined. */
GAMES_INLINE uint64_t bits_extract(uint64_t b, uint64_t mask)
{
	uint64_t r;

	__asm__("pext %2, %1, %0" : "=r"(r) : "r"(b), "rm"(mask));
	return r;
}

GAMES_INLINE uint64_t bits_deposit(uint64_t b, uint64_t mask)
{
	uint64_t r;

	__asm__("pdep %2, %1, %0" : "=r"(r) : "r"(b), "rm"(mask));
	return r;
}
#endif

/* One line's attacks from sq, the first man on each side included. */
GAMES_INLINE uint64_t attacks_along(unsigned sq, enum attacks_line line, uint64_t occ,
                                    enum attacks_path path)
{
	uint64_t mask = attacks_lines[sq][line];

#if defined(__x86_64__)
	if (path == ATTACKS_PEXT) {
		uint64_t seen = bits_extract(occ, mask);

		return bits_deposit(attacks_span[attacks_below[sq][line]][seen], mask);
	}
#else
	(void)path;
#endif
	uint64_t lower = occ & mask & (BIT(sq) - 1);
	uint64_t upper = occ & mask & ~(BIT(sq) - 1);
	uint64_t from_lower = ~UINT64_C(0) << (63 - __builtin_clzll(lower | 1));

	return mask & (2 * (upper & (~upper + 1)) + from_lower);
}

GAMES_INLINE uint64_t attacks_bishop(unsigned sq, uint64_t occ, enum attacks_path path)
{
	return attacks_along(sq, LINE_DIAGONAL, occ, path) |
	       attacks_along(sq, LINE_ANTI, occ, path);
}

GAMES_INLINE uint64_t attacks_rook(unsigned sq, uint64_t occ, enum attacks_path path)
{
	return attacks_along(sq, LINE_RANK, occ, path) | attacks_along(sq, LINE_FILE, occ, path);
}

/* Squares attacked by all these pawns of colour c. */
GAMES_INLINE uint64_t attacks_pawns(uint64_t pawns, enum color c)
{
	return c == WHITE ? (pawns & ~FILE_A) << 7 | (pawns & ~FILE_H) << 9
	                  : (pawns & ~FILE_A) >> 9 | (pawns & ~FILE_H) >> 7;
}

/* One step forward for colour c. */
GAMES_INLINE uint64_t bits_forward(uint64_t b, enum color c)
{
	return c == WHITE ? b << 8 : b >> 8;
}

/* The attacks of a man of this type and colour. */
GAMES_INLINE uint64_t attacks_of(unsigned type, enum color c, unsigned sq, uint64_t occ,
                                 enum attacks_path path)
{
	switch (type) {
	case PAWN: return attacks_pawns(BIT(sq), c);
	case KNIGHT: return attacks_knight[sq];
	case BISHOP: return attacks_bishop(sq, occ, path);
	case ROOK: return attacks_rook(sq, occ, path);
	case QUEEN: return attacks_bishop(sq, occ, path) | attacks_rook(sq, occ, path);
	default: return attacks_king[sq];
	}
}
