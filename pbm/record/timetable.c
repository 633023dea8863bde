#include "pbm/record/timetable.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t timetable_deadline(const struct turn_clock *c)
{
	return c->started + c->free + c->bank;
}

int64_t timetable_end(const struct turn_clock *c)
{
	int64_t end = timetable_deadline(c) + c->forfeit;

	return c->warned ? later(end, c->warned + TIMETABLE_DAY) : end;
}

static int64_t next_reminder(const struct turn_clock *c)
{
	int64_t last_day = timetable_deadline(c) - TIMETABLE_DAY;

	if (c->reminders == 0)
		return c->started + c->nag;
	int64_t gap = (int64_t)TIMETABLE_DAY << (c->reminders - 1);
	int64_t at = later(c->reminded + gap, c->started + c->free);
	return at > last_day ? later(last_day, c->reminded + TIMETABLE_DAY) : at;
}

enum duty timetable_next(const struct turn_clock *c, int64_t *at)
{
	if (c->warned) {
		*at = timetable_end(c);
		return DUTY_END;
	}
	if (!c->alone && c->reminders < TIMETABLE_REMINDERS) {
		*at = next_reminder(c);
		if (*at < timetable_deadline(c))
			return DUTY_REMIND;
	}
	*at = timetable_end(c) - TIMETABLE_DAY;
	if (c->reminders)
		*at = later(*at, c->reminded + TIMETABLE_DAY);
	return DUTY_WARN;
}

int64_t timetable_nag(int days)
{
	return later((int64_t)days * TIMETABLE_DAY / 2, TIMETABLE_DAY);
}
