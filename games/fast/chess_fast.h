/* Orthodox chess: perft. */
#ifndef GAMES_FAST_CHESS_FAST_H
#define GAMES_FAST_CHESS_FAST_H

#include "games/rules.h"

extern const struct rules_fast chess_fast[2];

#endif
