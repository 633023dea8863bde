/* Lets games/engine think about a position of a game.  No I/O; the memory is taken from the heap
 * and given back. */
#pragma once

#include "games/engine/engine.h"
#include "pbm/record/match.h"

/* Thinks about the position after `ply` plies.  false: there is no turn to find, no engine for this
 * game, or no memory; out->lines is 0. */
bool match_think(const struct match *m, size_t ply, const struct engine_limits *l,
                 struct engine_result *out);
