/* Knockout tournaments: who meets whom, and how far everybody has come. */
#ifndef PBM_TOURNAMENT_KNOCKOUT_H
#define PBM_TOURNAMENT_KNOCKOUT_H

#include "pbm/tournament/tournament.h"

/* As tournament_pair(). */
int knockout_pair(const struct tournament *t, int round, struct arena *a,
                  struct tournament_pair **out, int *n);

/* Fills in, of each entry, how many rounds he has survived, and whether he is out. */
void knockout_progress(const struct tournament *t, struct arena *a, int *survived, bool *out);

struct tournament_match knockout_match(const struct tournament *t, int round,
                                       const struct tournament_pair *pair);

#endif
