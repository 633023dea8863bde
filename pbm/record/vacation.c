#include "pbm/record/vacation.h"

#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"

#define YEAR 365 /* days */
#define HOUR 3600

bool vacation_read_day(const char *text, int64_t *day)
{
	int64_t t;

	if (strlen(text) != strlen("2026-12-20"))
		return false;
	const char *iso = PRINTED(CLOCK_ISO_SIZE, "%sT00:00:00Z", text);
	if (clock_read_iso(iso, &t, NULL) < 0 || t < 0)
		return false;
	*day = t / CLOCK_DAY;
	return true;
}

int vacation_year(int64_t day)
{
	int year = 1970;

	sscanf(CLOCK_ISO(day * CLOCK_DAY), "%4d", &year);
	return year;
}

int64_t vacation_new_year(int year)
{
	int64_t t = 0;

	clock_read_iso(PRINTED(40, "%04d-01-01T00:00:00Z", year), &t, NULL);
	return t / CLOCK_DAY;
}

const struct player_vacation *vacation_next(const struct player_doc *p, int64_t t)
{
	for (size_t i = 0; i < p->vacation_count; i++)
		if (p->vacations[i].until > t)
			return &p->vacations[i];
	return NULL;
}

int64_t vacation_until(const struct player_doc *p, int64_t t)
{
	int64_t until = 0;

	for (size_t i = 0; i < p->vacation_count; i++) {
		const struct player_vacation *v = &p->vacations[i];

		if (v->until > t && v->from <= (until ? until : t))
			until = v->until;
	}
	return until;
}

/* A change of the clocks makes a day an hour longer, which is no day more. */
static int days_between(int64_t from, int64_t until)
{
	if (until <= from)
		return 0;
	int64_t days = (until - from - HOUR + CLOCK_DAY - 1) / CLOCK_DAY;
	return days > 1 ? (int)days : 1;
}

int vacation_days(const struct player_doc *p, int64_t from, int64_t until)
{
	int days = 0;

	for (size_t i = 0; i < p->vacation_count; i++) {
		const struct player_vacation *v = &p->vacations[i];

		days += days_between(v->from > from ? v->from : from,
		                     v->until < until ? v->until : until);
	}
	return days;
}

int vacation_left(const struct player_doc *p, const struct zone *z, int year)
{
	int days = vacation_days(p, zone_day_start(z, vacation_new_year(year)),
	                         zone_day_start(z, vacation_new_year(year + 1)));

	return days < VACATION_DAYS ? VACATION_DAYS - days : 0;
}

void vacation_add(struct arena *a, struct player_doc *p, const struct player_vacation *v,
                  int64_t now)
{
	struct player_vacation *all = arena_alloc(a, (p->vacation_count + 1) * sizeof *all);
	size_t n = 0;
	bool added = false;

	for (size_t i = 0; i < p->vacation_count; i++) {
		if (!added && p->vacations[i].from > v->from) {
			all[n++] = *v;
			added = true;
		}
		if (p->vacations[i].until > now - 2 * (int64_t)YEAR * CLOCK_DAY)
			all[n++] = p->vacations[i];
	}
	if (!added)
		all[n++] = *v;
	p->vacations = all;
	p->vacation_count = n;
}

bool vacation_end(struct arena *a, struct player_doc *p, int64_t now)
{
	struct player_vacation *all = arena_alloc(a, (p->vacation_count + 1) * sizeof *all);
	size_t n = 0;
	bool ended = false;

	for (size_t i = 0; i < p->vacation_count; i++) {
		struct player_vacation v = p->vacations[i];

		if (v.until > now) {
			ended = true;
			v.until = now;
		}
		if (v.until > v.from)
			all[n++] = v;
	}
	p->vacations = all;
	p->vacation_count = n;
	return ended;
}

bool vacation_automatic(const struct player_doc *p, int64_t from, struct player_vacation *out)
{
	int64_t piece = VACATION_PIECE * CLOCK_DAY, until = from + piece;
	int left = VACATION_DAYS - vacation_days(p, until - YEAR * CLOCK_DAY, until);

	if (left <= 0 || p->vacation_count >= PLAYER_VACATIONS_MAX || vacation_until(p, from))
		return false;
	if (left < VACATION_PIECE)
		until = from + left * CLOCK_DAY;
	const struct player_vacation *next = vacation_next(p, from);
	if (next && next->from < until)
		until = next->from;
	*out = (struct player_vacation){ .from = from, .until = until, .automatic = true };
	return true;
}
