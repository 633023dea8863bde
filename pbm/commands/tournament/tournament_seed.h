/* Decides who plays in a tournament that begins, and in which order. */
#pragma once

#include "pbm/request/request.h"
#include "store/document/tournament.h"

#define SEED_NO_RATING 1500 /* of a player without games */

/* Ratings, lots and order are those of this moment, for good; of a team, the order of its
 * boards, too.  Those who don't play are told that it begins without them, and their entries go. */
int tournament_seed(struct request *q, struct tournament_doc *t, struct err *e);

/* A number drawn once for each player, and one for the tournament (userid ""): it can't be
 * foreseen, and is always the same. */
int64_t tournament_seed_lot(struct request *q, const struct tournament_doc *t, const char *userid);

/* Writes down rating and lot. */
int tournament_seed_freeze(struct request *q, const struct tournament_doc *t,
                           struct tournament_entry *n, struct err *e);
