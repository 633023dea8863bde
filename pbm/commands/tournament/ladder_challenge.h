/* May a player of a ladder challenge another one?  pbm/pairing/ladder.h has the rules; this
 * finds the facts, and says why a challenge is refused. */
#ifndef PBM_COMMANDS_TOURNAMENT_LADDER_CHALLENGE_H
#define PBM_COMMANDS_TOURNAMENT_LADDER_CHALLENGE_H

#include "pbm/request/request.h"
#include "store/document/tournament.h"

/* from, to: places of the ladder, from 1.  false: refused. */
bool ladder_challenge_may(struct request *q, const struct tournament_doc *t, int from, int to);

#endif
