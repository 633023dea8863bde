/* A game's clock: how much time is left, and what happens when it is used up. */
#include <string.h>

#include "pbm/record/match.h"

#define DAY TIMETABLE_DAY

int64_t match_time_left(const struct match *m, int64_t now)
{
	uint8_t seat = match_to_move(m);

	if (seat == SEAT_NONE)
		return 0;
	return m->turn_started + (int64_t)m->doc.days * DAY + m->bank[seat] - now;
}

bool match_would_lose(const struct match *m)
{
	uint8_t seat = match_to_move(m);

	if (match_is_solo(m))
		return false;
	for (size_t i = 0; i < m->doc.event_count; i++) {
		const struct event *ev = &m->doc.events[i];

		if (ev->kind == EVENT_MOVE && ev->seat == seat && !ev->automatic)
			return true;
	}
	return false;
}

void match_time_out(struct match *m, uint8_t by, int64_t now)
{
	uint8_t late = match_to_move(m);
	const char *who = m->doc.players[late];

	if (match_would_lose(m))
		match_end(m, late == SEAT_WHITE ? "0-1" : "1-0",
		          arena_printf(m->arena, "%s ran out of time", who), by, now);
	else
		match_end(m, "*",
		          arena_printf(m->arena, "%s never %s", who,
		                       match_is_solo(m) ? "played on" : "moved"),
		          by, now);
}

void match_clock(const struct match *m, struct turn_clock *out)
{
	const struct game_doc *d = &m->doc;

	*out = (struct turn_clock){
		.started = m->turn_started,
		.free = (int64_t)d->days * DAY,
		.bank = m->bank[match_to_move(m)],
		.nag = d->nag ? (int64_t)d->nag * DAY : timetable_nag(d->days),
		.forfeit = (int64_t)(d->forfeit ? d->forfeit : TIMETABLE_FORFEIT) * DAY,
		.reminders = m->reminders,
		.reminded = m->reminded,
		.warned = m->warned,
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
	match_clock(m, &c);
	return timetable_next(&c, at);
}
