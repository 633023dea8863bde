/* The turn that the first board mails of a game give as an example of an answer.  Later ones
 * have none: a beginner would send it back as it is. */
#ifndef PBM_ANSWER_VIEW_EXAMPLE_H
#define PBM_ANSWER_VIEW_EXAMPLE_H

#include "pbm/record/match.h"

/* A quiet first turn of the side to move.  NULL: it is not the side's first one, or no such turn
 * is legal. */
const struct move *view_example(const struct match *m, const struct moves *legal);

#endif
