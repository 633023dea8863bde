#include "games/attacks.h"

/* The tables are spelled as constant expressions, a row a square, so that they
 * are in the read-only part of the program and nothing has to fill them. */

#define EACH_8(f, i)                                                                               \
	f(i), f((i) + 1), f((i) + 2), f((i) + 3), f((i) + 4), f((i) + 5), f((i) + 6), f((i) + 7)
#define EACH_64(f)                                                                                 \
	EACH_8(f, 0), EACH_8(f, 8), EACH_8(f, 16), EACH_8(f, 24), EACH_8(f, 32), EACH_8(f, 40),    \
		EACH_8(f, 48), EACH_8(f, 56)

#define FILES_AB (FILE_A | FILE_A << 1)
#define FILES_GH (FILE_H | FILE_H >> 1)

#define KNIGHT_ROW(s)                                                                              \
	(((BIT(s) << 17 | BIT(s) >> 15) & ~FILE_A) | ((BIT(s) << 15 | BIT(s) >> 17) & ~FILE_H) |   \
	 ((BIT(s) << 10 | BIT(s) >> 6) & ~FILES_AB) | ((BIT(s) << 6 | BIT(s) >> 10) & ~FILES_GH))
const uint64_t attacks_knight[64] = { EACH_64(KNIGHT_ROW) };

#define KING_ROW(s)                                                                                \
	(((BIT(s) << 1 | BIT(s) << 9 | BIT(s) >> 7) & ~FILE_A) |                                   \
	 ((BIT(s) >> 1 | BIT(s) >> 9 | BIT(s) << 7) & ~FILE_H) | BIT(s) << 8 | BIT(s) >> 8)
const uint64_t attacks_king[64] = { EACH_64(KING_ROW) };

#define FILE_OF(s) ((s)&7)
#define RANK_OF(s) ((s) >> 3)
#define POSITIVE(n) ((n) > 0 ? (n) : 0)
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
/* A long diagonal moved up or down by n ranks. */
#define RAISED(b, n) (((b) << 8 * POSITIVE(n)) >> 8 * POSITIVE(-(n)))

#define LINES_ROW(s)                                                                               \
	{                                                                                          \
		(RANK_1 << 8 * RANK_OF(s)) & ~BIT(s), (FILE_A << FILE_OF(s)) & ~BIT(s),            \
			RAISED(UINT64_C(0x8040201008040201), RANK_OF(s) - FILE_OF(s)) & ~BIT(s),   \
			RAISED(UINT64_C(0x0102040810204080), RANK_OF(s) + FILE_OF(s) - 7) &        \
				~BIT(s)                                                            \
	}
const uint64_t attacks_lines[64][LINES] = { EACH_64(LINES_ROW) };

#define BELOW_ROW(s)                                                                               \
	{                                                                                          \
		FILE_OF(s), RANK_OF(s), LESSER(FILE_OF(s), RANK_OF(s)),                            \
			LESSER(7 - FILE_OF(s), RANK_OF(s))                                         \
	}
const uint8_t attacks_below[64][LINES] = { EACH_64(BELOW_ROW) };

/* n squares below, the occupied ones o: up to the first man above … */
#define ABOVE_MEN(n, o) (((o) | 128) >> (n) << (n))
#define SPAN_UP(n, o) ((ABOVE_MEN(n, o) ^ (ABOVE_MEN(n, o) - (1 << (n)))) & 127)
/* … and down to the highest man below. */
#define BELOW_MEN(n, o) (((o) & ((1 << (n)) - 1)) | 1)
#define TOP_BIT(x)                                                                                 \
	((x) >= 64   ? 64                                                                          \
	 : (x) >= 32 ? 32                                                                          \
	 : (x) >= 16 ? 16                                                                          \
	 : (x) >= 8  ? 8                                                                           \
	 : (x) >= 4  ? 4                                                                           \
	 : (x) >= 2  ? 2                                                                           \
	             : 1)
#define SPAN_DOWN(n, o) (((1 << (n)) - 1) & ~(TOP_BIT(BELOW_MEN(n, o)) - 1))
#define SPAN(n, o) (uint8_t)(SPAN_UP(n, o) | SPAN_DOWN(n, o))

#define SPAN_8(n, o)                                                                               \
	SPAN(n, o), SPAN(n, (o) + 1), SPAN(n, (o) + 2), SPAN(n, (o) + 3), SPAN(n, (o) + 4),        \
		SPAN(n, (o) + 5), SPAN(n, (o) + 6), SPAN(n, (o) + 7)
#define SPAN_64(n, o)                                                                              \
	SPAN_8(n, o), SPAN_8(n, (o) + 8), SPAN_8(n, (o) + 16), SPAN_8(n, (o) + 24),                \
		SPAN_8(n, (o) + 32), SPAN_8(n, (o) + 40), SPAN_8(n, (o) + 48), SPAN_8(n, (o) + 56)
#define SPAN_ROW(n)                                                                                \
	{                                                                                          \
		SPAN_64(n, 0), SPAN_64(n, 64)                                                      \
	}
const uint8_t attacks_span[8][128] = { EACH_8(SPAN_ROW, 0) };

bool attacks_have_pext(void)
{
#if defined(__x86_64__)
	/* The first two Zen generations have the instruction, but run it slower
	 * than the arithmetic it replaces. */
	return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
	       !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
#else
	return false;
#endif
}
