/* Notes of the server and its moderators in a game. */

#include "pbm/base/zone.h"
#include "pbm/record/match.h"

void match_remind(struct match *m, const char *why, int64_t now)
{
	match_note(m, EVENT_REMIND, match_to_move(m), m->reminders + 1, why, now);
}

void match_warn(struct match *m, int64_t now)
{
	match_note(m, EVENT_WARN, match_to_move(m), 0, NULL, now);
}

void match_extend(struct match *m, int seconds, const char *why, int64_t now)
{
	match_note(m, EVENT_EXTEND, match_to_move(m), seconds, why, now);
}

void match_shorten(struct match *m, int seconds, const char *why, int64_t now)
{
	match_note(m, EVENT_SHORTEN, match_to_move(m), seconds, why, now);
}

void match_set_zone(struct match *m, uint8_t seat, const struct zone *zone, int64_t now)
{
	struct str s = STR_LOCAL(50 * ZONE_SHIFTS);

	zone_write(zone, &s);
	match_note(m, EVENT_ZONE, seat, 0, s.data, now);
}

void match_gift(struct match *m, uint8_t by, int days, int64_t now)
{
	match_note(m, EVENT_GIFT, by, days, NULL, now);
}

void match_hint(struct match *m, uint8_t seat, int64_t now)
{
	match_note(m, EVENT_HINT, seat, (int)m->ply + 1, NULL, now);
}

void match_time_up(struct match *m, int64_t now)
{
	match_note(m, EVENT_TIME_UP, match_to_move(m), 0, NULL, now);
}

/* Appends an event of a moderator. */
static void note_act(struct match *m, enum event_kind kind, const char *by, int number,
                     const char *text, int64_t now)
{
	match_note(m, kind, SEAT_NONE, number, text, now);
	m->doc.events[m->doc.event_count - 1].by = arena_strdup(m->arena, by);
}

void match_pause(struct match *m, const char *by, const char *why, int64_t now)
{
	note_act(m, EVENT_PAUSE, by, 0, why, now);
}

void match_resume(struct match *m, const char *by, int64_t now)
{
	note_act(m, EVENT_RESUME, by, 0, NULL, now);
}

void match_extend_by(struct match *m, const char *by, int seconds, const char *why, int64_t now)
{
	note_act(m, EVENT_EXTEND, by, seconds, why, now);
}

void match_inspect(struct match *m, const char *by, const char *what, int64_t now)
{
	note_act(m, EVENT_INSPECT, by, 0, what, now);
}

void match_end_by(struct match *m, const char *by, const char *result, const char *why, int64_t now)
{
	match_end(m, result, why, SEAT_NONE, now);
	m->doc.events[m->doc.event_count - 1].by = arena_strdup(m->arena, by);
}

void match_change_result(struct match *m, const char *by, const char *result, const char *why,
                         int64_t now)
{
	int64_t ended = m->doc.ended;

	match_end_by(m, by, result, why, now);
	m->doc.ended = ended;
	if (m->doc.state != GAME_FINISHED)
		m->doc.rating_count = 0;
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
