#include "pbm/record/timetable.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The instant at which so many seconds of the turn are used. */
static int64_t used_at(const struct turn_clock *c, int64_t seconds)
{
	return calendar_add(&c->calendar, c->started, c->given + seconds);
}

static int64_t length_of(const struct turn_clock *c)
{
	int64_t length = c->free + c->bank;

	return c->has_total ? earlier(length, c->total) : length;
}

int64_t timetable_deadline(const struct turn_clock *c)
{
	return used_at(c, length_of(c));
}

int64_t timetable_reserve(const struct turn_clock *c)
{
	return used_at(c, earlier(c->free, length_of(c)));
}

/* Weekends are part of these times, vacations are not. */
static int64_t days_after(const struct turn_clock *c, int64_t from, int64_t seconds)
{
	struct calendar all_days = c->calendar;

	all_days.weekdays = false;
	return calendar_add(&all_days, from, seconds);
}

int64_t timetable_end(const struct turn_clock *c)
{
	int64_t end = days_after(c, timetable_deadline(c), c->forfeit);

	if (c->touched)
		end = earlier(end,
		              days_after(c, c->touched, (int64_t)TIMETABLE_IDLE * TIMETABLE_DAY));
	return c->warned ? later(end, c->warned + TIMETABLE_DAY) : end;
}

static int64_t next_reminder(const struct turn_clock *c)
{
	int64_t last_day = used_at(c, length_of(c) - TIMETABLE_DAY);

	if (c->reminders == 0)
		return used_at(c, c->nag);
	if (!c->often)
		return later(last_day, calendar_add(&c->calendar, c->reminded, TIMETABLE_DAY));
	int64_t gap = (int64_t)TIMETABLE_DAY << (c->reminders - 1);
	int64_t at = later(calendar_add(&c->calendar, c->reminded, gap), timetable_reserve(c));
	return at > last_day
	               ? later(last_day, calendar_add(&c->calendar, c->reminded, TIMETABLE_DAY))
	               : at;
}

enum duty timetable_next(const struct turn_clock *c, int64_t *at)
{
	int64_t deadline = timetable_deadline(c), end = timetable_end(c);

	if (c->warned) {
		*at = end;
		return DUTY_END;
	}
	if (!c->alone && c->reminders < (c->often ? TIMETABLE_OFTEN : TIMETABLE_REMINDERS)) {
		*at = next_reminder(c);
		if (*at < earlier(deadline, end - TIMETABLE_DAY))
			return DUTY_REMIND;
	}
	if (!c->alone && !c->up && deadline <= end - TIMETABLE_DAY) {
		*at = deadline;
		return DUTY_TIME_UP;
	}
	*at = end - TIMETABLE_DAY;
	if (c->reminders)
		*at = later(*at, c->reminded + TIMETABLE_DAY);
	return DUTY_WARN;
}

int64_t timetable_next_often(const struct turn_clock *c)
{
	struct turn_clock often = *c;
	int64_t at;

	often.often = true;
	timetable_next(&often, &at);
	return at;
}

int64_t timetable_next_once(const struct turn_clock *c)
{
	struct turn_clock once = *c;
	int64_t at;

	once.often = true;
	once.up = 1;
	once.touched = 0;
	timetable_next(&once, &at);
	return at;
}

int64_t timetable_nag(int days)
{
	return later((int64_t)(days - 1) * TIMETABLE_DAY, TIMETABLE_DAY);
}

int64_t timetable_nag_often(int days)
{
	return later((int64_t)days * TIMETABLE_DAY / 2, TIMETABLE_DAY);
}
