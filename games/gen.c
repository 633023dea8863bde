#include "games/gen.h"

#define SQ(file, rank) (((file) - 'a') + 8 * ((rank)-1))
#define SQB(file, rank) BIT(SQ(file, rank))

const struct castle gen_castles[6] = {
	{ CASTLE_WHITE_SHORT, SQ('e', 1), SQ('g', 1), SQ('h', 1), SQ('f', 1),
	  SQB('f', 1) | SQB('g', 1), SQB('e', 1) | SQB('f', 1) | SQB('g', 1) },
	{ CASTLE_WHITE_LONG, SQ('e', 1), SQ('c', 1), SQ('a', 1), SQ('d', 1),
	  SQB('b', 1) | SQB('c', 1) | SQB('d', 1), SQB('e', 1) | SQB('d', 1) | SQB('c', 1) },
	{ CASTLE_BLACK_SHORT, SQ('e', 8), SQ('g', 8), SQ('h', 8), SQ('f', 8),
	  SQB('f', 8) | SQB('g', 8), SQB('e', 8) | SQB('f', 8) | SQB('g', 8) },
	{ CASTLE_BLACK_LONG, SQ('e', 8), SQ('c', 8), SQ('a', 8), SQ('d', 8),
	  SQB('b', 8) | SQB('c', 8) | SQB('d', 8), SQB('e', 8) | SQB('d', 8) | SQB('c', 8) },
	{ CASTLE_BLACK_SHORT, SQ('d', 8), SQ('b', 8), SQ('a', 8), SQ('c', 8),
	  SQB('b', 8) | SQB('c', 8), SQB('d', 8) | SQB('c', 8) | SQB('b', 8) },
	{ CASTLE_BLACK_LONG, SQ('d', 8), SQ('f', 8), SQ('h', 8), SQ('e', 8),
	  SQB('e', 8) | SQB('f', 8) | SQB('g', 8), SQB('d', 8) | SQB('e', 8) | SQB('f', 8) },
};
