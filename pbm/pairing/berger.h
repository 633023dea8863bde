/* Round robins by the Berger tables (FIDE Handbook C.05, annex 1). */
#pragma once

#include "pbm/pairing/pairing.h"

/* As pairing_make(). */
int berger_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                int *n);
