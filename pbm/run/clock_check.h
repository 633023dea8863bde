/* Decides whether the machine's clock is believed, for all others.
 *
 * Each run compares the clock with the last run's.  Within one start of the machine, the seconds
 * since that start say how much time has passed.  After a restart the clock must not have gone
 * back, nor more than CLOCK_GAP ahead.  A clock that jumped is believed if the system keeps it
 * right by NTP, if it goes back to where it was before an earlier jump, or after it has run
 * steadily for CLOCK_STEADY.  Until then the site keeps its own time: clock_now() goes on from
 * the last run's time, so nothing is given up, forfeited, expired, extended or deleted because
 * of the jump. */
#pragma once

#include "pbm/base/err.h"
#include "pbm/site/site.h"

#define CLOCK_GAP (60 * 86400) /* seconds without a run that are believed without a proof */
#define CLOCK_STEADY 86400     /* seconds after which a jump is believed */
#define CLOCK_TOLERANCE 3600   /* smaller differences are no jump */

/* Values in the store, noted by a run, to the hour: the clock of the machine, its start and the
 * seconds since (struct clock_witness); the lead of the site's time over the clock, and the
 * clock's time when that began (0: the clock is believed); begin and end of the last gap that
 * was believed without a proof. */
#define CLOCK_MACHINE "clock-machine"
#define CLOCK_BOOT "clock-boot"
#define CLOCK_BOOTTIME "clock-boottime"
#define CLOCK_SHIFT "clock-shift"
#define CLOCK_DOUBT "clock-doubt"
#define CLOCK_GAP_FROM "clock-gap-from"
#define CLOCK_GAP_TO "clock-gap-to"

/* ERR_TEMP: this machine's clock differs from that of the server which it shares with others.
 * Sets clock_shift() for this run, logs a jump and tells the operator.  Call it before
 * anything reads the time.  The store is open for writing, without a transaction. */
int clock_check(struct site *site, struct err *e);

/* The part of it that compares the clock with the server's: the machines write times for each other.
 * ERR_TEMP: it differs. */
int clock_compare(struct site *site, struct err *e);
