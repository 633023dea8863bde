/* Knockout tournaments: who meets whom, and how far everybody has come. */
#pragma once

#include "pbm/pairing/pairing.h"

/* As pairing_make(). */
int knockout_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                  int *n);

/* Fills in, of each entry, how many rounds he has survived, and whether he is out. */
void knockout_progress(const struct pairing *t, struct arena *a, int *survived, bool *out);

struct pairing_match knockout_match(const struct pairing *t, int round,
                                    const struct pairing_pair *pair);
