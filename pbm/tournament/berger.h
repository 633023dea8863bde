/* Round robins by the Berger tables (FIDE Handbook C.05, annex 1). */
#ifndef PBM_TOURNAMENT_BERGER_H
#define PBM_TOURNAMENT_BERGER_H

#include "pbm/tournament/tournament.h"

/* As tournament_pair(). */
int berger_pair(const struct tournament *t, int round, struct arena *a,
                struct tournament_pair **out, int *n);

#endif
