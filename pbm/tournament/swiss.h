/* The Swiss system: a round of it; tournament.h says by which rules. */
#ifndef PBM_TOURNAMENT_SWISS_H
#define PBM_TOURNAMENT_SWISS_H

#include "pbm/tournament/tournament.h"

/* As tournament_pair(). */
int swiss_pair(const struct tournament *t, int round, struct arena *a, struct tournament_pair **out,
               int *n);

#endif
