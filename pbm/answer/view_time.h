/* Sentences about the time of a board: until when a move must come, who is on vacation. */
#ifndef PBM_ANSWER_VIEW_TIME_H
#define PBM_ANSWER_VIEW_TIME_H

#include "pbm/request/request.h"

/* Appends the time left for the running turn, in the reader's timezone, and why a clock
 * stands still or nobody answers; for a finished game, the change of ratings. */
void view_until(const struct request *q, const struct match *m, const char *reader,
                const char *zone, struct str *out);

#endif
