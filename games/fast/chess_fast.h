/* Orthodox chess, Three-check and King of the hill: perft, lists and turns. */
#pragma once

#include "games/rules.h"

#define THREECHECK_CHECKS 3

/* struct pos .own of Three-check: the checks given, by enum color of the side that gave them. */
static inline bool threecheck_has_won(const struct pos *p, enum color c)
{
	return p->own[c] >= THREECHECK_CHECKS;
}

/* Does c's king stand on d4, e4, d5 or e5? */
static inline bool hill_has_won(const struct pos *p, enum color c)
{
	return p->type[KING] & p->color[c] & UINT64_C(0x0000001818000000);
}

extern const struct rules_fast chess_fast[2], threecheck_fast[2], hill_fast[2];
