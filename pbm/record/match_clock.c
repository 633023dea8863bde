/* A game's clock: how much time is left, and what happens when it is used up. */
#include <string.h>

#include "pbm/record/match_clock.h"

#define DAY TIMETABLE_DAY

struct calendar match_calendar(const struct match *m, uint8_t seat)
{
	return (struct calendar){
		.weekdays = m->doc.weekdays,
		.zone = m->zone[seat],
		.n = m->rest_count[seat],
		.rests = m->rests[seat],
		.stop_count = m->stop_count,
		.stops = m->stops,
	};
}

struct span match_vacation(const struct match *m, uint8_t seat, int64_t t)
{
	struct span found = { 0 };
	bool longer = true;

	for (size_t i = 0; i < m->rest_count[seat]; i++) {
		const struct span *r = &m->rests[seat][i];

		if (r->until > t && r->from < r->until && (!found.until || r->from < found.from))
			found = *r;
	}
	while (found.until && longer) {
		longer = false;
		for (size_t i = 0; i < m->rest_count[seat]; i++) {
			const struct span *r = &m->rests[seat][i];

			if (r->from <= found.until && r->until > found.until) {
				found.until = r->until;
				longer = true;
			}
		}
	}
	return found;
}

int64_t match_deadline(const struct match *m)
{
	struct turn_clock c;

	if (match_to_move(m) == SEAT_NONE)
		return 0;
	match_clock(m, &c);
	return timetable_deadline(&c);
}

int64_t match_time_left(const struct match *m, int64_t now)
{
	uint8_t seat = match_to_move(m);
	int64_t deadline = match_deadline(m);

	if (seat == SEAT_NONE || now > deadline)
		return seat == SEAT_NONE ? 0 : deadline - now;
	struct calendar c = match_calendar(m, seat);
	return calendar_count(&c, now, deadline);
}

/* The vacation of seat that begins at this time; a new, empty one if there is none. */
static struct span *find_rest(struct match *m, uint8_t seat, int64_t from)
{
	size_t n = m->rest_count[seat];
	struct span *old = m->rests[seat];

	for (size_t i = 0; i < n; i++)
		if (old[i].from == from)
			return &old[i];
	struct span *all = arena_alloc(m->arena, (n + 1) * sizeof *all);
	if (n)
		memcpy(all, old, n * sizeof *all);
	all[n] = (struct span){ from, from };
	m->rests[seat] = all;
	m->rest_count[seat]++;
	return &all[n];
}

bool match_is_paused(const struct match *m)
{
	return m->stop_count && m->stops[m->stop_count - 1].until == CALENDAR_FOREVER;
}

/* Stops both clocks, or lets them go on. */
static int stop_clocks(struct match *m, const struct event *ev, struct err *e)
{
	bool pause = ev->kind == EVENT_PAUSE;
	size_t n = m->stop_count;

	if (match_is_paused(m) == pause)
		return err_set(e, ERR_DAMAGED,
		               pause ? "board %lld: a pause in a pause"
		                     : "board %lld: the end of a pause without a pause",
		               (long long)m->doc.board);
	if (!pause) {
		m->stops[n - 1].until = ev->at > m->stops[n - 1].from ? ev->at
		                                                      : m->stops[n - 1].from;
		return 0;
	}
	struct span *all = arena_alloc(m->arena, (n + 1) * sizeof *all);
	if (n)
		memcpy(all, m->stops, n * sizeof *all);
	all[n] = (struct span){ ev->at, CALENDAR_FOREVER };
	m->stops = all;
	m->stop_count++;
	return 0;
}

/* Changes the clock by one event. */
static int change_clock(struct match *m, const struct event *ev, struct err *e)
{
	uint8_t seat = ev->seat < 2 ? ev->seat : SEAT_WHITE;

	if (ev->kind == EVENT_PAUSE || ev->kind == EVENT_RESUME)
		return stop_clocks(m, ev, e);
	if (ev->kind == EVENT_VACATION)
		find_rest(m, seat, ev->from)->until = ev->until;
	if (ev->kind == EVENT_GIFT) {
		m->bank[!seat] += (int64_t)ev->number * DAY;
		m->total[!seat] += (int64_t)ev->number * DAY;
		if (match_to_move(m) == !seat) { /* the mail about the gift is a reminder, too */
			m->reminded = ev->at;
			m->reminders += m->reminders == 0;
		}
	}
	if (ev->kind == EVENT_ZONE && !m->zone[seat])
		m->zone[seat] = arena_alloc(m->arena, sizeof *m->zone[seat]);
	if (ev->kind == EVENT_ZONE && !zone_read(ev->text, m->zone[seat]))
		return err_set(e, ERR_DAMAGED, "board %lld: \"%.80s\" is no timezone",
		               (long long)m->doc.board, ev->text);
	return 0;
}

int match_replay_clock(struct match *m, const struct event *ev, struct err *e)
{
	int64_t before = match_deadline(m);
	int rc = change_clock(m, ev, e);

	if (ev->kind == EVENT_TIME_UP)
		m->up = ev->at;
	else if (match_deadline(m) != before)
		m->warned = m->up = 0;
	return rc;
}

bool match_would_lose(const struct match *m)
{
	uint8_t seat = match_to_move(m);

	if (match_is_solo(m))
		return false;
	if (m->doc.tournament) /* a player who does not come forfeits the game */
		return true;
	for (size_t i = 0; i < m->doc.event_count; i++) {
		const struct event *ev = &m->doc.events[i];

		if (ev->kind == EVENT_MOVE && ev->seat == seat && !ev->automatic)
			return true;
	}
	return false;
}

void match_clock(const struct match *m, struct turn_clock *out)
{
	const struct game_doc *d = &m->doc;

	*out = (struct turn_clock){
		.started = m->turn_started,
		.free = (int64_t)d->days * DAY,
		.calendar = match_calendar(m, match_to_move(m)),
		.bank = m->bank[match_to_move(m)],
		.given = m->given,
		.has_total = d->total > 0,
		.total = m->total[match_to_move(m)],
		.nag = d->nag ? (int64_t)d->nag * DAY : timetable_nag(d->days),
		.forfeit = (int64_t)(d->forfeit ? d->forfeit : TIMETABLE_FORFEIT) * DAY,
		.reminders = m->reminders,
		.reminded = m->reminded,
		.warned = m->warned,
		.up = m->up,
		.touched = m->touched,
		.alone = match_is_solo(m),
	};
}

enum duty match_duty(const struct match *m, int64_t *at)
{
	struct turn_clock c;

	*at = 0;
	if (m->doc.state == GAME_OFFERED) {
		*at = m->doc.created + (int64_t)TIMETABLE_OFFER * DAY;
		return DUTY_LAPSE;
	}
	if (m->doc.state != GAME_RUNNING)
		return DUTY_NONE;
	*at = m->doc.secret[match_to_move(m)].pending_at;
	if (*at)
		return DUTY_PLAY;
	if (match_is_paused(m))
		return DUTY_NONE;
	match_clock(m, &c);
	return timetable_next(&c, at);
}

bool match_may_be_due(const struct match *m, int64_t due)
{
	struct turn_clock c;

	if (due == 0 || due == m->doc.due)
		return true;
	if (m->doc.state != GAME_RUNNING || match_is_paused(m))
		return false;
	if (due < m->doc.due) /* the run that looks then sets it right */
		return true;
	match_clock(m, &c);
	if (!m->doc.nag)
		c.nag = timetable_nag_often(m->doc.days);
	return due == timetable_next_often(&c) || due == timetable_next_once(&c);
}
