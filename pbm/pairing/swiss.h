/* The Swiss system: a round of it; pairing.h says by which rules. */
#pragma once

#include "pbm/pairing/pairing.h"

/* As pairing_make(). */
int swiss_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
               int *n);
