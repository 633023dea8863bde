/* Times in which the server did not run, or could not read its mail.  It finds one
 * out by the time of its last run, and gives every clock what it lost. */
#ifndef PBM_RUN_OUTAGE_H
#define PBM_RUN_OUTAGE_H

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* What the store remembers: the last run, to the hour; an outage being made good,
 * from when to when, and the board up to which that is done. */
#define OUTAGE_LAST_RUN "clock-run"
#define OUTAGE_SINCE "clock-outage-since"
#define OUTAGE_UNTIL "clock-outage-until"
#define OUTAGE_BOARD "clock-outage-board"

/* To be called once a run, when its source has shown that mail can be read, and
 * before the first mail is worked on.  Notes the run, at most once an hour.  When the
 * run before was outage-hours ago or more, every running clock is set back by the
 * time between, and a day more: so nobody's time ends for it, nor within a day.  In
 * transactions of pbm.conf's batch; the next run goes on where this one was cut. */
int outage_check(struct site *site, int64_t now, struct err *e);

#endif
