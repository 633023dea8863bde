/* Timezones as offsets from UTC over a stretch of time.  Only zone_load() looks at the
 * machine's timezone data (IANA, /usr/share/zoneinfo), through the C library; everything
 * else computes with the offsets alone, so that the same text always gives the same
 * instants.  The timezone of the process is the same before and after each call. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/str.h"

#define ZONE_SHIFTS 12     /* offsets in one stretch */
#define ZONE_NAME_MAX 64   /* bytes of a name */
#define ZONE_OFFSET 100000 /* greater than any offset in seconds */

/* Offset v[i] holds from v[i].from to v[i + 1].from; the first one also before its time, the
 * last one without an end.  n is at least 1; no offset: UTC. */
struct zone {
	size_t n;
	struct {
		int64_t from; /* Unix seconds */
		int offset;   /* seconds east of UTC */
	} v[ZONE_SHIFTS];
};

/* Has the machine data for this name ("Europe/Berlin"), written exactly so?  UTC always. */
bool zone_is_known(const char *name);
/* The offsets of a zone from one time to another; NULL and unknown names are UTC. */
void zone_load(const char *name, int64_t from, int64_t until, struct zone *out);

/* Local time, as seconds that count as if it were UTC. */
int64_t zone_local(const struct zone *z, int64_t t);
/* The local day of an instant, in days since 1970-01-01. */
int64_t zone_day(const struct zone *z, int64_t t);
/* The first instant of a local day; if midnight is skipped, the next one that exists. */
int64_t zone_day_start(const struct zone *z, int64_t day);

/* Do both have the same offsets from one time to another? */
bool zone_equals(const struct zone *a, const struct zone *b, int64_t from, int64_t until);

/* "+0100 2027-03-28T01:00:00Z +0200"; false: the text could not have been written so. */
void zone_write(const struct zone *z, struct str *out);
bool zone_read(const char *text, struct zone *out);
