/* Decides who plays in a tournament that begins, and in which order. */
#ifndef PBM_COMMANDS_TOURNEY_SEED_H
#define PBM_COMMANDS_TOURNEY_SEED_H

#include "pbm/request/request.h"
#include "store/tourney.h"

/* Ratings, lots and order are those of this moment, for good; of a team, the order of its
 * boards, too.  Those who don't play are told that it begins without them, and their entries go. */
int tourney_seed(struct request *q, struct tourney_doc *t, struct err *e);

#endif
