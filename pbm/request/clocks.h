/* Brings the clocks of a game in line with what its players' documents say: vacations,
 * and the timezone whose weekends don't count. */
#ifndef PBM_REQUEST_CLOCKS_H
#define PBM_REQUEST_CLOCKS_H

#include "pbm/request/request.h"

/* Appends to the record of a running game what it does not know yet.  Does nothing when
 * it is up to date. */
int clocks_follow(struct request *q, struct match *m, struct err *e);

#endif
