/* Mails that the server sends to its members by itself: the weekly report to moderators, and
 * broadcasts, some of them in each run. */
#pragma once

#include "pbm/base/err.h"
#include "pbm/site/site.h"

#define STAFF_MAILS_STEP 100 /* players looked at in one transaction */

/* Outside a transaction. */
int staff_mails_run(struct site *site, int64_t now, struct err *e);
