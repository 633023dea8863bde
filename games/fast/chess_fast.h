/* Orthodox chess and Three-check: perft, lists and turns. */
#ifndef GAMES_FAST_CHESS_FAST_H
#define GAMES_FAST_CHESS_FAST_H

#include "games/rules.h"

#define THREECHECK_CHECKS 3

/* struct pos .own of Three-check: the checks given, by enum color of the side that gave them. */
static inline bool threecheck_has_won(const struct pos *p, enum color c)
{
	return p->own[c] >= THREECHECK_CHECKS;
}

extern const struct rules_fast chess_fast[2], threecheck_fast[2];

#endif
