/* Decides who plays in a tournament that begins, and in which order. */
#ifndef PBM_COMMANDS_TOURNEY_SEED_H
#define PBM_COMMANDS_TOURNEY_SEED_H

#include "pbm/request/request.h"
#include "store/tourney.h"

/* Fixes ratings, lots and order, and the order of each team's boards.  Players without a place
 * are told that it begins without them, and their entries are deleted. */
int tourney_seed(struct request *q, struct tourney_doc *t, struct err *e);

#endif
