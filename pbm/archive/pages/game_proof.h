/* Finds who wins the last positions of a finished game by force, where `pbm solve` can prove it:
 * in the losing family.  The work is limited by counts, so that each run finds the same. */
#pragma once

#include "pbm/record/match.h"

/* winners has m->ply + 1 members, one for each position: the seat that wins it against every
 * reply, or SEAT_NONE where nothing was proved.  Goes back from the end of the game until a
 * position takes too long. */
void game_proof(const struct match *m, uint8_t *winners);
