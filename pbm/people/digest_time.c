#include "pbm/people/digest_time.h"

#include <stdbool.h>
#include <stdio.h>

#include "pbm/base/clock.h"
#include "pbm/base/zone.h"
#include "pbm/people/settings.h"

#define PUZZLE_HOUR 8 /* of a player without a digest */

/* The instant of a time of day.  If the clocks skip it, it comes as long after midnight as it
 * would have without the change. */
static int64_t on_day(const struct zone *z, int64_t day, int seconds)
{
	int64_t local = day * CLOCK_DAY + seconds, start = zone_day_start(z, day),
		end = start + CLOCK_DAY;
	int64_t early = local - (zone_local(z, start) - start);
	int64_t late = local - (zone_local(z, end) - end);
	bool has_early = zone_local(z, early) == local, has_late = zone_local(z, late) == local;

	return has_late && (!has_early || late < early) ? late : early;
}

int64_t digest_time_next(const struct player_doc *p, int64_t after)
{
	struct zone z;
	int hour = PUZZLE_HOUR, minute = 0;

	if (sscanf(settings_get(p, "digest"), "%2d:%2d", &hour, &minute) != 2 &&
	    settings_is(p, "puzzle", "off"))
		return 0;
	zone_load(settings_get(p, "timezone"), after - 2 * CLOCK_DAY, after + 4 * CLOCK_DAY, &z);
	for (int64_t day = zone_day(&z, after) - 1;; day++) {
		int64_t t = on_day(&z, day, hour * 3600 + minute * 60);

		if (t > after)
			return t;
	}
}
