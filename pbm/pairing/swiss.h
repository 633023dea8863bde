/* The Swiss system: a round of it; pairing.h says by which rules. */
#ifndef PBM_PAIRING_SWISS_H
#define PBM_PAIRING_SWISS_H

#include "pbm/pairing/pairing.h"

/* As pairing_make(). */
int swiss_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
               int *n);

#endif
