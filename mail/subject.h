/* Strips a Subject of what mail programs add to it.  Does not look for commands. */
#pragma once

#include "pbm/base/mem.h"

/* The subject without Re:, Fwd: and the same in other languages, counters such as
 * Re[2]:, [list tags] and our own trailing " **". */
const char *subject_base(struct arena *a, const char *subject);
