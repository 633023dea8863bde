#include "pbm/answer/view_time.h"

#include <string.h>
#include <strings.h>

#include "pbm/people/quiet.h"
#include "pbm/rating/rating.h"
#include "pbm/record/match.h"
#include "pbm/record/timetable.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"

/* Writes the time left for the running turn. */
static void time_left(const struct request *q, const struct match *m, const char *zone,
                      struct str *out)
{
	struct turn_clock c;
	struct str when = STR_LOCAL(100), left = STR_LOCAL(80), more = STR_LOCAL(80);

	match_clock(m, &c);
	int64_t end = timetable_deadline(&c), reserve = timetable_reserve(&c);
	bool days = q->now < reserve;
	text_date(days ? reserve : end, zone, &when);
	text_duration(calendar_count(&c.calendar, q->now, days ? reserve : end), &left);
	text_duration(calendar_count(&c.calendar, reserve, end), &more);
	if (q->now >= end)
		str_addf(out, "The time for this move was used up on %s.", when.data);
	else if (calendar_count(&c.calendar, q->now, end) == 0)
		str_addf(out, "Until %s; then no time is left.", when.data);
	else if (!days)
		str_addf(out, "Until %s: %s, all from the reserve.", when.data, left.data);
	else if (end > reserve)
		str_addf(out, "Until %s: %s, and %s in reserve.", when.data, left.data, more.data);
	else
		str_addf(out, "Until %s: %s.", when.data, left.data);
	if (c.calendar.weekdays && q->now < end)
		str_add(out, "  Saturdays and Sundays don't count.");
	if (q->now < timetable_end(&c) && timetable_end(&c) < end) {
		str_clear(&when);
		text_date(timetable_end(&c), zone, &when);
		str_addf(out, "  But a game that nobody touches until %s is closed.", when.data);
	}
}

/* A moderator has stopped the clocks. */
static void paused_line(const struct request *q, const struct match *m, struct str *out)
{
	struct turn_clock c;
	struct str l = STR_LOCAL(80), more = STR_LOCAL(80);

	match_clock(m, &c);
	int64_t turn = calendar_count(&c.calendar, q->now, timetable_reserve(&c));
	int64_t all = calendar_count(&c.calendar, q->now, timetable_deadline(&c));
	text_duration(turn > 0 ? turn : all, &l);
	text_duration(all - turn, &more);
	str_add(out, "This game is paused: the clocks stand still, and moves can still be played.");
	if (turn > 0 && all > turn)
		str_addf(out, "  Left for this turn: %s, and %s in reserve.", l.data, more.data);
	else if (all > 0)
		str_addf(out, "  Left for this turn: %s.", l.data);
}

/* The mails mention a vacation from so long before it. */
#define VACATION_NEAR (7 * TIMETABLE_DAY)

void view_vacation(const struct match *m, uint8_t seat, const char *reader, const char *zone,
                   int64_t t, int64_t ahead, struct str *out)
{
	const char *who = m->doc.players[seat];
	struct span rest = match_vacation(m, seat, t);
	struct str from = STR_LOCAL(100), until = STR_LOCAL(100);
	bool now = rest.from <= t, self = strcasecmp(who, reader) == 0;

	if (!rest.until || rest.from - t > ahead)
		return;
	text_date(rest.from, zone, &from);
	text_date_end(rest.until, zone, &until);
	str_add(out, out->len ? "  " : "");
	if (self && now)
		str_addf(out, "You are on vacation until %s: your clock stands still.", until.data);
	else if (self)
		str_addf(out,
		         "You will be on vacation from %s until %s: then your clock stands still.",
		         from.data, until.data);
	else if (now)
		str_addf(out, "%s is on vacation until %s.  Until then %s's clock stands still.",
		         who, until.data, who);
	else
		str_addf(
			out,
			"%s will be on vacation from %s until %s.  In that time %s's clock stands still.",
			who, from.data, until.data, who);
}

/* Writes that the reader's opponent gets no mails, and what becomes of the game. */
static void signed_off_line(const struct request *q, const struct match *m, uint8_t seat,
                            const char *reader, struct str *out)
{
	const char *who = m->doc.players[seat];
	struct player_doc p;

	if (match_seat_of(m, reader) != !seat || match_is_solo(m))
		return;
	if (request_is_by(q, who))
		p = q->who.player;
	else if (store_player_get(q->site->store, q->arena, who, &p, NULL) < 0)
		return;
	if (!p.signed_off && !quiet_has(&p, m->doc.board))
		return;
	str_add(out, out->len ? "  " : "");
	str_addf(
		out,
		p.signed_off
			? "%s has signed off and gets no mails.  The clock runs on: when %s's time is used up, you can end the game with: claim %lld time"
			: "%s wants no mails of this game.  The clock runs on: when %s's time is used up, you can end the game with: claim %lld time",
		who, who, (long long)m->doc.board);
}

/* Writes how much time an outage has given to the running turn. */
static void outage_line(const struct match *m, struct str *out)
{
	int64_t given = 0;
	struct str s = STR_LOCAL(80);

	for (size_t i = m->doc.event_count; i-- > 0;) {
		const struct event *ev = &m->doc.events[i];

		if (ev->kind == EVENT_MOVE || ev->kind == EVENT_UNDO)
			break;
		if (ev->kind == EVENT_EXTEND && !ev->by && ev->text &&
		    strcmp(ev->text, MATCH_AWAY) == 0)
			given += ev->number;
	}
	if (!given)
		return;
	text_duration(given, &s);
	str_addf(out, "  The server was out of order for a time; this turn got %s more.", s.data);
}

void view_until(const struct request *q, const struct match *m, const char *reader,
                const char *zone, struct str *out)
{
	if (m->doc.rating_count) {
		str_add(out, "The game was rated.  Ratings: ");
		rating_write_change(m, out);
		str_add_char(out, '.');
	} else if (m->doc.state == GAME_FINISHED) {
		str_add(out, !m->doc.rated    ? "The game was not rated: its terms said so."
		             : m->doc.ply < 2 ? "The game was not rated: one side had not moved."
		                              : "The game was not rated.");
	}
	bool runs = match_to_move(m) != SEAT_NONE;
	if (runs && !match_is_paused(m))
		time_left(q, m, zone, out);
	view_pauses(q, m, reader, zone, out);
	if (runs)
		outage_line(m, out);
}

void view_pauses(const struct request *q, const struct match *m, const char *reader,
                 const char *zone, struct str *out)
{
	if (match_is_paused(m) && match_to_move(m) != SEAT_NONE) {
		str_add(out, out->len ? "  " : "");
		paused_line(q, m, out);
	}
	for (uint8_t seat = 0; seat < 2 && m->doc.state == GAME_RUNNING; seat++)
		if (!seat || !match_is_solo(m)) {
			view_vacation(m, seat, reader, zone, q->now, VACATION_NEAR, out);
			signed_off_line(q, m, seat, reader, out);
		}
}
