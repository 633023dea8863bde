/* Outages: times in which the server did not run, or could not read its mail.  The time of the
 * last run shows them, and every running clock gets the lost time back. */
#pragma once

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* Values in the store: the time of the last run, to the hour; the begin and end of an outage
 * whose time is being given back, and the last board that has got it.  If the end is before the
 * begin, the clock was ahead and has been set right: then that time is taken back from the
 * clocks that got it. */
#define OUTAGE_LAST_RUN "clock-run"
#define OUTAGE_SINCE "clock-outage-since"
#define OUTAGE_UNTIL "clock-outage-until"
#define OUTAGE_BOARD "clock-outage-board"

/* Call it once a run, after the source has shown that mail can be read, and before the first
 * mail.  Notes the run, at most once an hour.  When the last run was outage-hours ago or more,
 * every running clock gets the time between and one day more, so that no time ends in the outage
 * or the day after it.  Works in transactions of pbm.conf's batch; if this run is cut, the next
 * one goes on from there. */
int outage_check(struct site *site, int64_t now, struct err *e);

/* 1: an outage has not been made good yet, or no run has read the mail for outage-hours: a mail that
 * waits in the store must not be worked on before.  0: it may. */
int outage_is_open(struct site *site, int64_t now, struct err *e);

/* Notes in a transaction that the clock went back from one time to another, after finishing the
 * work of a cut run.  outage_check() takes the time back. */
int outage_take_back(struct site *site, int64_t from, int64_t to, struct err *e);
