/* Mails that the server sends to its members by itself: the weekly report to moderators, and
 * broadcasts, some of them in each run. */
#ifndef PBM_RUN_CLUB_H
#define PBM_RUN_CLUB_H

#include "pbm/base/err.h"
#include "pbm/site/site.h"

#define CLUB_STEP 100 /* players looked at in one transaction */

/* Outside a transaction. */
int club_run(struct site *site, int64_t now, struct err *e);

#endif
