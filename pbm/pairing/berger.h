/* Round robins by the Berger tables (FIDE Handbook C.05, annex 1). */
#ifndef PBM_PAIRING_BERGER_H
#define PBM_PAIRING_BERGER_H

#include "pbm/pairing/pairing.h"

/* As pairing_make(). */
int berger_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                int *n);

#endif
