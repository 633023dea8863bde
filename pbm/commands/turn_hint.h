/* Finds the turn that a refused line of an answer may mean.  Plays nothing. */
#pragma once

#include "pbm/commands/dispatch_pair.h"

/* The turn that the line at start, or else the mail, may mean, as a hint; NULL: there is none.  A
 * question whether a move can be taken back names moves, too. */
const char *turn_hint_find(struct parse *p, int64_t board, const char *start);

/* Of lines that are the castlings, those that the player may play now; all of them when none is
 * legal, as the answer to one says why. */
const char *turn_hint_castling(struct request *q, const struct match *m, uint8_t seat,
                               const char *lines);
