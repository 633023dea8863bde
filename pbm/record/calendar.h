/* Computes which time counts on a player's clock.  The clock stands still on Saturdays and
 * Sundays, if the game says so, and during vacations.  No I/O; all times are Unix seconds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/zone.h"

/* From `from` up to, but not including, `until`.  until == from: empty. */
struct span {
	int64_t from, until;
};

/* The end of a stop that lasts: far away, with room for the days after it.  The year 9000. */
#define CALENDAR_FOREVER INT64_C(221845392000)

struct calendar {
	bool weekdays;           /* Saturdays and Sundays don't count */
	const struct zone *zone; /* whose days these are; NULL: UTC */
	size_t n, stop_count;
	const struct span *rests; /* in any order; they may overlap */
	const struct span *stops; /* the same: when both clocks stood still */
};

/* The seconds that count between two instants; 0 when from is later. */
int64_t calendar_count(const struct calendar *c, int64_t from, int64_t until);

/* The last instant up to which no more than so many seconds count.  It is never within a
 * time that doesn't count: if the seconds end with a Friday, it is Monday, 0:00. */
int64_t calendar_add(const struct calendar *c, int64_t from, int64_t seconds);
