/* May a player of a ladder challenge another one?  pbm/pairing/ladder.h has the rules; this
 * finds the facts, and says why a challenge is refused. */
#pragma once

#include "pbm/request/request.h"
#include "store/document/tournament.h"

/* from, to: places of the ladder, from 1.  false: refused. */
bool ladder_challenge_may(struct request *q, const struct tournament_doc *t, int from, int to);
