/* Time: vacations, and time given to the other side. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "pbm/base/clock.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/play/chat_later.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/commands/play/vacation_words.h"
#include "pbm/people/holiday.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match.h"
#include "pbm/record/vacation.h"
#include "pbm/request/request_player.h"
#include "pbm/text/text.h"
#include "store/store_questions.h"

#define GIFT_MAX 30        /* days in one gift */
#define CHANGES_A_DAY 5    /* of one's vacations: opponents get mail about them */
#define OPPONENTS_TOLD 100 /* by mail; the others read it in their board mails */
#define GAMES_LOOKED_AT 1000

/* ---- what is asked for ---- */

/* Loads the offsets of the timezone for the days that a vacation may have. */
static void load_zone(struct request *q, const struct call *c, struct zone *out)
{
	zone_load(player_setting(c->actor, "timezone"), q->now - 400 * CLOCK_DAY,
	          q->now + 800 * CLOCK_DAY, out);
}

/* The words of the line; the days of a month count from today in the player's timezone. */
static struct vacation_words read_wish(struct request *q, const struct call *c)
{
	struct zone z;

	load_zone(q, c, &z);
	return vacation_words_read(q->arena, c->rest, zone_day(&z, q->now));
}

static bool is_off(const struct vacation_words *w)
{
	return w->n == 1 && strcmp(w->words[0], "off") == 0;
}

static bool refuse_usage(struct request *q)
{
	return !request_refused(
		q, 0,
		"Write the first and the last day of your vacation, year first: vacation 2026-12-20 2027-01-03.  The first day may also be now.  To end a vacation: vacation off");
}

static bool is_now(const char *word)
{
	return strcmp(word, "now") == 0;
}

/* A day that was typed, "now" being today. */
static bool read_day(struct request *q, const char *word, int64_t today, int64_t *day)
{
	*day = today + (strcmp(word, "tomorrow") == 0);
	if (is_now(word) || *day > today || vacation_read_day(word, day))
		return true;
	return !request_refused(
		q, 0, "There is no day \"%.20s\".  Write days like this: 2026-12-20", word);
}

/* Has the player so many days left in each year? */
static bool has_days(struct request *q, const struct call *c, const struct zone *z, int64_t first,
                     int64_t last)
{
	for (int year = vacation_year(first); year <= vacation_year(last); year++) {
		int64_t from = vacation_new_year(year), until = vacation_new_year(year + 1) - 1;
		int left = vacation_left(c->actor, z, year);
		int64_t wanted = (last < until ? last : until) - (first > from ? first : from) + 1;

		if (wanted <= left)
			continue;
		return !request_refused(
			q, 0,
			"That would be %lld days of vacation in %d, and you have %d left of %d.",
			(long long)wanted, year, left, VACATION_DAYS);
	}
	return true;
}

/* Can this vacation be taken?  If not, says why. */
static bool check_days(struct request *q, const struct call *c, const struct zone *z, bool now,
                       int64_t first, int64_t last)
{
	int64_t today = zone_day(z, q->now), from = zone_day_start(z, first);
	int64_t until = zone_day_start(z, last + 1);

	if (last < first)
		request_refuse(q, 0, "The last day of that vacation is before its first day.");
	else if (!now && first <= today)
		request_refuse(
			q, 0,
			"A vacation begins tomorrow or later; to begin at once, write now instead of the first day.");
	else if (last > today + VACATION_AHEAD)
		request_refuse(q, 0, "A vacation can be planned for %d days ahead, not more.",
		               VACATION_AHEAD);
	else if (vacation_days(c->actor, now ? request_came(q) : from, until) > 0)
		request_refuse(
			q, 0,
			"You have a vacation in these days already.  To plan anew, write first: vacation off");
	else
		return has_days(q, c, z, first, last);
	return false;
}

/* Asks back about one day, which may be all of the vacation, its first day or its last: says how
 * each is written. */
static bool refuse_one_day(struct request *q, const char *word, int64_t today)
{
	int64_t day;

	if (!is_now(word) && strcmp(word, "tomorrow") != 0 && !vacation_read_day(word, &day))
		return refuse_usage(q);
	if (is_now(word))
		request_refuse(
			q, 0,
			"Write the last day of your vacation, too, year first: vacation now %s",
			vacation_words_day(q->arena, today + 7));
	else
		request_refuse(
			q, 0,
			"A vacation needs its first and its last day.  For that day alone write: vacation %s %s.  From now until then: vacation now %s",
			word, word, word);
	return false;
}

/* false: refused. */
static bool read_vacation(struct request *q, const struct call *c, struct player_vacation *out)
{
	struct zone z;
	int64_t first, last;

	load_zone(q, c, &z);
	int64_t today = zone_day(&z, q->now);
	struct vacation_words w = vacation_words_read(q->arena, c->rest, today);
	if (w.n == 3)
		return refuse_usage(q);
	if (w.n == 1)
		return refuse_one_day(q, w.words[0], today);
	bool now = is_now(w.words[0]);
	if (!read_day(q, w.words[0], today, &first) || !read_day(q, w.words[1], today, &last) ||
	    !check_days(q, c, &z, now, first, last))
		return false;
	/* "now" is when the mail came, as with a move. */
	*out = (struct player_vacation){ .from = now ? request_came(q) : zone_day_start(&z, first),
		                         .until = zone_day_start(&z, last + 1) };
	return true;
}

/* ---- what is told ---- */

/* The vacations known, and the days left this year. */
static void show_vacations(struct request *q, const struct call *c)
{
	const char *zone = player_setting(c->actor, "timezone");
	struct zone z;
	int known = 0;

	load_zone(q, c, &z);
	int year = vacation_year(zone_day(&z, q->now));
	struct str s = str_in(q->arena, 16384);
	for (size_t i = 0; i < c->actor->vacation_count; i++) {
		const struct player_vacation *v = &c->actor->vacations[i];

		if (v->until <= q->now)
			continue;
		known++;
		text_date(v->from, zone, &s);
		str_add(&s, " to ");
		text_date_end(v->until, zone, &s);
		str_add(&s, v->automatic ? "  (your time was up)\n" : "\n");
	}
	struct note *n = request_note(q, NULL, 0, 0);
	n->subject = "your vacation";
	n->headline = arena_printf(
		q->arena,
		known ? "You have %d of %d days of vacation left in %d.  Your clocks stand still in these times:"
		      : "You have %d of %d days of vacation left in %d.  No vacation is planned.",
		vacation_left(c->actor, &z, year), VACATION_DAYS, year);
	n->body = s.data;
}

struct rest_opponents {
	const char *self;
	struct arena *a;
	size_t n;
	const char *v[OPPONENTS_TOLD];
};

static int add_opponent(const struct game_row *row, void *arg)
{
	struct rest_opponents *o = arg;
	const char *other = row->players[strcasecmp(row->players[0], o->self) == 0];

	for (size_t i = 0; i < o->n; i++)
		if (strcasecmp(o->v[i], other) == 0)
			return 0;
	if (strcasecmp(other, o->self) != 0)
		o->v[o->n++] = arena_strdup(o->a, other);
	return o->n == OPPONENTS_TOLD;
}

/* Each opponent gets one mail, however many games there are. */
static int tell_opponents(struct request *q, const struct player_doc *p,
                          const struct player_vacation *v, bool cancelled, struct err *e)
{
	struct rest_opponents o = { .self = p->userid, .a = q->arena };
	int rc = store_games(q->site->store, p->userid, NULL, GAMES_OPEN, GAMES_LOOKED_AT, 0,
	                     add_opponent, &o, e);

	for (size_t i = 0; rc == 0 && i < o.n; i++) {
		struct str from = STR_LOCAL(100), until = STR_LOCAL(100);
		struct note *n = request_note(q, o.v[i], 0, 0);

		n->subject = arena_printf(q->arena,
		                          v           ? "%s goes on vacation"
		                          : cancelled ? "%s's vacation is cancelled"
		                                      : "%s's vacation is over",
		                          p->userid);
		if (!v) {
			n->headline = arena_printf(
				q->arena,
				cancelled
					? "%s's vacation is cancelled: the clocks run on in your games with %s."
					: "%s's vacation is over: the clocks run again in your games with %s.",
				p->userid, p->userid);
			continue;
		}
		text_date(v->from, request_zone(q, o.v[i]), &from);
		text_date_end(v->until, request_zone(q, o.v[i]), &until);
		n->headline = arena_printf(
			q->arena,
			"%s is on vacation from %s until %s.  In that time %s's clocks stand still; yours run as usual.",
			p->userid, from.data, until.data, p->userid);
	}
	return rc;
}

/* ---- the commands ---- */

/* The vacation that is wanted; NULL: all are ended.  1: refused, or shown. */
static int read_change(struct request *q, struct call *c, struct err *)
{
	struct vacation_words w = read_wish(q, c);

	if (w.n == 0) {
		show_vacations(q, c);
		return 1;
	}
	if (!is_off(&w)) {
		c->read = arena_alloc(q->arena, sizeof(struct player_vacation));
		return !read_vacation(q, c, c->read);
	}
	if (vacation_next(c->actor, q->now))
		return 0;
	return request_refused(q, 0, "You are not on vacation, and none is planned.");
}

/* v: the new one; NULL: all are ended. */
static int change_vacation(struct request *q, struct call *c, const struct player_vacation *v,
                           struct err *e)
{
	struct player_doc p = *c->actor;
	struct str from = STR_LOCAL(100), until = STR_LOCAL(100);
	const struct player_vacation *next = vacation_next(c->actor, q->now);
	bool later = v && v->from > q->now, cancelled = !v && next && next->from > q->now;

	if (v)
		vacation_add(q->arena, &p, v, q->now);
	else
		vacation_end(q->arena, &p, q->now);
	int rc = holiday_store(q, &p, e);
	if (rc == 0)
		rc = tell_opponents(q, &p, v, cancelled, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	if (request_is_by(q, p.userid))
		q->who.player = p;
	if (v) {
		text_date(v->from, player_setting(&p, "timezone"), &from);
		text_date_end(v->until, player_setting(&p, "timezone"), &until);
	}
	struct note *n = request_note(q, p.userid, 0, 0);
	n->subject = v           ? "your vacation is noted"
	             : cancelled ? "your vacation is cancelled"
	                         : "your vacation is over";
	n->headline =
		later ? arena_printf(
				q->arena,
				"Your vacation is noted: your clocks stand still from %s until %s.  Your opponents are told.  To cancel it, write: vacation off",
				from.data, until.data)
		: v ? arena_printf(
			      q->arena,
			      "Your vacation is noted: your clocks stand still until %s.  Your opponents are told.  To end it earlier, write: vacation off",
			      until.data)
		: cancelled
			? "Your vacation is cancelled, and your clocks run on.  Your opponents are told."
			: "Your vacation is over, and your clocks run again.  Your opponents are told.";
	return 0;
}

/* vacation; vacation from to; vacation now to; vacation off */
static int run_vacation(struct request *q, struct call *c, struct err *e)
{
	int64_t count = 0;
	int rc = request_count_event(q, "vacation", c->actor->userid, CLOCK_DAY, &count, e);
	if (rc < 0)
		return rc;
	if (count > CHANGES_A_DAY && c->read)
		return !request_refused(
			q, 0, "You have changed your vacation %d times today.  Try again tomorrow.",
			CHANGES_A_DAY);
	return change_vacation(q, c, c->read, e);
}

/* The days of a gift, with or without the word after them; 0: refused. */
static int gift_days(struct request *q, const struct call *c)
{
	const char *word = c->argv[0];
	size_t digits = strspn(word, "0123456789");
	bool unit = c->argc == 1 || (c->argc == 2 && strncasecmp(c->argv[1], "day", 3) == 0);
	int days = digits && digits < 4 ? atoi(word) : 0;

	if (word[digits] == '\0' && unit && days >= 1 && days <= GIFT_MAX)
		return days;
	return !request_refused(q, c->board,
	                        "A gift is a whole number of days from 1 to %d: gift %lld 5",
	                        GIFT_MAX, (long long)c->board);
}

/* 1: refused. */
static int read_gift(struct request *q, struct call *c, struct err *)
{
	int *days = c->read = arena_alloc(q->arena, sizeof *days);

	*days = gift_days(q, c);
	if (*days && match_is_solo(c->match))
		request_refuse(q, c->board, "You play this game alone.");
	if (!c->proved)
		q->held.why = "Days that you give can't be taken back.";
	return !*days || match_is_solo(c->match);
}

static int run_gift(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	int days = *(const int *)c->read;

	if (!match_has_room(m, c->seat, 0))
		return !request_refused(q, c->board,
		                        "The record of board %lld has no more room for gifts.",
		                        (long long)c->board);
	const char *other = m->doc.players[!c->seat], *me = m->doc.players[c->seat];
	int64_t ends = 0;
	int rc = mail_limits_is_talk_full(q, c->actor, other, &ends,
	                                  e); /* each gift makes a mail */
	if (rc > 0)
		chat_later_refuse(q, c, other, ends);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	match_gift(m, c->seat, days, q->now);
	board_note(q, c, c->seat, 0)->headline = arena_printf(
		q->arena, days == 1 ? "You gave %s %d day." : "You gave %s %d days.", other, days);
	struct note *n = board_note(q, c, !c->seat, NOTE_BOARD | NOTE_ASK);
	n->subject = arena_printf(q->arena, "%s gives you time", me);
	n->headline = arena_printf(q->arena,
	                           days == 1
	                                   ? "%s gives you %d day more: it is in your reserve."
	                                   : "%s gives you %d days more: they are in your reserve.",
	                           me, days);
	board_pass_comment(q, c, n, q->comment);
	return request_save(q, m, e);
}

const struct command cmd_time_table[] = {
	COMMAND("vacation", "vacation [from to | now to | off]",
	        "your clocks stand still in these days: vacation 2026-12-20 2027-01-03",
	        GROUP_START, CMD_PROOF | CMD_PAIR, .read = read_change, .run = run_vacation),
	COMMAND("gift", "gift [board] days", "gives the other player 1 to 30 days for this game",
	        GROUP_PLAY,
	        CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_RUNNING | CMD_PAIR | CMD_COUNT |
	                CMD_COMMENT | CMD_GIVES,
	        .least = 1, .read = read_gift, .run = run_gift),
	{ .word = NULL }
};
