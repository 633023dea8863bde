#include "pbm/record/calendar.h"

/* 1970-01-01 was a Thursday. */
#define SATURDAY_BEFORE 5 /* days from a Saturday to that day */

/* The weekend that lasts at t, or else the next one. */
static struct span weekend_of(const struct calendar *c, int64_t t)
{
	static const struct zone utc = { .n = 1 };
	const struct zone *z = c->zone ? c->zone : &utc;
	int64_t day = zone_day(z, t), since = (day + SATURDAY_BEFORE) % 7;

	if (since < 0)
		since += 7;
	day -= since;
	if (zone_day_start(z, day + 2) <= t)
		day += 7;
	return (struct span){ zone_day_start(z, day), zone_day_start(z, day + 2) };
}

/* The earlier one of next and the spans that last at t or later. */
static struct span first_span(const struct span *v, size_t n, int64_t t, struct span next)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].until > t && v[i].from < v[i].until && v[i].from < next.from)
			next = v[i];
	return next;
}

/* The first time from t on that doesn't count; times that overlap it may begin later. */
static struct span next_rest(const struct calendar *c, int64_t t)
{
	struct span next = { INT64_MAX, INT64_MAX };

	if (c->weekdays)
		next = weekend_of(c, t);
	next = first_span(c->rests, c->n, t, next);
	return first_span(c->stops, c->stop_count, t, next);
}

int64_t calendar_count(const struct calendar *c, int64_t from, int64_t until)
{
	int64_t sum = 0;

	while (from < until) {
		struct span rest = next_rest(c, from);
		int64_t end = rest.from < until ? rest.from : until;

		sum += end > from ? end - from : 0;
		from = rest.from < until ? rest.until : until;
	}
	return sum;
}

int64_t calendar_add(const struct calendar *c, int64_t from, int64_t seconds)
{
	for (;;) {
		struct span rest = next_rest(c, from);

		if (rest.from == INT64_MAX)
			return from + seconds;
		if (rest.from > from) {
			if (rest.from - from > seconds)
				return from + seconds;
			seconds -= rest.from - from;
		}
		from = rest.until;
	}
}
