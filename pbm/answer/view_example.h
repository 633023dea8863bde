/* The turn that a board mail gives as an example of an answer.  A beginner may send it back
 * as it is, so it must not be a known loss. */
#ifndef PBM_ANSWER_VIEW_EXAMPLE_H
#define PBM_ANSWER_VIEW_EXAMPLE_H

#include "pbm/record/match.h"

/* The index of a legal turn (legal->n > 0) that does not lose as far as a shallow look goes:
 * not at once, not to one reply, and in the losing family not within a small search.  A turn
 * without a push is taken only if no other one is as good. */
size_t view_example(struct arena *a, const struct match *m, const struct moves *legal);

#endif
