/* Compares another engine's lists of legal turns with ours, in random games. */
#pragma once

#include "pbm/external/external_line.h"

#define EXTERNAL_TEST_POSITIONS 2000

/* 0: the lists are equal in so many positions, the same ones each time.  ERR_BAD: they are not,
 * with the position; or the engine does not know the variant.  Other errors as
 * external_run_begin(). */
int external_test(const struct external_line *l, const struct external_variant *v, size_t positions,
                  struct err *e);
