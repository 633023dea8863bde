/* A tournament's document as FIDE's report file, and such a file as a tournament: for rating
 * officers, and for pairing programs.  The start numbers are the numbers of the entries. */
#pragma once

#include "pbm/tournament/tournament_pairs.h"
#include "pbm/tournament/trf.h"
#include "store/document/tournament.h"

/* The report of a tournament that has begun, which is no ladder.  A round of a file has one game
 * a player: where a player has several in a round, they take several rounds of the file. */
void tournament_trf_make(struct arena *a, const struct tournament_doc *t, struct trf *out);

/* The pairs of the round that follows the paired ones, as the file has them.  ERR_BAD: it has
 * none, or its earlier rounds or its players are not those of the tournament. */
int tournament_trf_pairs(struct arena *a, const struct tournament_doc *t, const struct trf *f,
                         struct tournament_pair *list, size_t *n, struct err *e);

/* Adds the players and the rounds with results of a checked file to *t, which has neither.
 * userids: of the players, in the order of their numbers.  ERR_BAD: a round is half played, or
 * has a result that a tournament here can't have. */
int tournament_trf_take(struct arena *a, const struct trf *f, const char *const *userids,
                        int64_t now, struct tournament_doc *t, struct err *e);
