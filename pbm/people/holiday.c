#include "pbm/people/holiday.h"

#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/people/settings.h"
#include "pbm/record/match.h"
#include "pbm/record/vacation.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define GAMES_LOOKED_AT 200 /* of each list, for the player's last move */

/* A look for the player's own moves since a time. */
struct last_move {
	const struct request *q;
	const char *userid;
	int64_t since;
	bool found;
	struct err why;
};

static bool has_moved(const struct game_doc *d, const char *userid, int64_t since)
{
	for (size_t i = d->event_count; i-- > 0 && d->events[i].at >= since;) {
		const struct event *ev = &d->events[i];

		if (ev->kind == EVENT_MOVE && !ev->automatic && ev->seat < 2 &&
		    strcasecmp(d->players[ev->seat], userid) == 0)
			return true;
	}
	return false;
}

static int look_in_game(const struct game_row *row, void *arg)
{
	struct last_move *l = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	int rc = store_game_get(l->q->site->store, &a, row->board, &d, &l->why);

	l->found = rc == 0 && has_moved(&d, l->userid, l->since);
	return l->found || (rc < 0 && rc != ERR_NOT_FOUND && rc != ERR_DAMAGED);
}

/* Has the player moved anywhere within VACATION_MOVED days before t?  This game first: mostly that
 * is enough. */
static int moved_lately(const struct request *q, const struct match *m, const char *userid,
                        int64_t t, bool *out, struct err *e)
{
	struct last_move l = { .q = q, .userid = userid, .since = t - VACATION_MOVED * CLOCK_DAY };
	struct store *s = q->site->store;
	int rc = 0;

	l.found = has_moved(&m->doc, userid, l.since);
	if (!l.found)
		rc = store_games(s, userid, NULL, GAMES_OPEN, GAMES_LOOKED_AT, 0, look_in_game, &l,
		                 e);
	if (rc == 0 && !l.found)
		rc = store_finished(s, userid, NULL,
		                    (struct finished_place){ INT64_MAX, INT64_MAX }, l.since,
		                    GAMES_LOOKED_AT, look_in_game, &l, e);
	*out = l.found;
	if (rc == 0 && !l.found && err_is_of_machine(&l.why))
		rc = err_set(e, l.why.code, "%s", l.why.text);
	return rc;
}

int holiday_store(struct request *q, const struct player_doc *p, struct err *e)
{
	store_player_put(q->site->store, p, e);
	return store_look_at(q->site->store, p->userid, e);
}

/* The state of the board says until when. */
static void tell_both(struct request *q, const struct match *m, uint8_t late)
{
	for (uint8_t seat = 0; seat < 2; seat++) {
		const char *who = m->doc.players[late];
		struct note *n = request_note(q, m->doc.players[seat], m->doc.board,
		                              NOTE_BOARD | NOTE_MOVES | NOTE_ASK);

		n->seat = seat;
		n->subject = seat == late ? "your time was up, and your vacation has begun"
		                          : arena_printf(q->arena, "%s is on vacation", who);
		n->headline =
			seat == late
				? "Your time for this move was up.  So that you don't lose the game, days of your vacation are used.  If you don't want that, write: set autovacation off"
				: arena_printf(
					  q->arena,
					  "%s's time for this move was up.  Days of %s's vacation are used.",
					  who, who);
	}
}

/* Are days taken for the player when the clock runs out at t?  *out: the first of them.  1: they
 * are; 0: not. */
static int finds_days(const struct request *q, const struct match *m, const struct player_doc *p,
                      int64_t t, struct player_vacation *out, struct err *e)
{
	bool moved = false;

	if (settings_is(p, "autovacation", "off") || !has_moved(&m->doc, p->userid, 0) ||
	    !vacation_automatic(p, match_deadline(m), out))
		return 0;
	int rc = moved_lately(q, m, p->userid, t, &moved, e);
	return rc < 0 ? rc : moved;
}

/* Adds the days to the player's vacations: as many pieces as have passed, if the server was
 * late; none for a player who has never moved in the game.  1: taken; 0: not. */
static int take_days(struct request *q, const struct match *m, struct player_doc *p, struct err *e)
{
	struct player_vacation v;
	int rc = finds_days(q, m, p, q->now, &v, e);

	if (rc <= 0)
		return rc;
	do
		vacation_add(q->arena, p, &v, q->now);
	while (v.until <= q->now && vacation_automatic(p, v.until, &v));
	return 1;
}

int holiday_spend(struct request *q, struct match *m, struct err *e)
{
	uint8_t late = match_to_move(m);
	struct player_doc p;

	if (late == SEAT_NONE || match_is_solo(m) || match_deadline(m) > q->now)
		return 0;
	int rc = err_found(store_player_get(q->site->store, q->arena, m->doc.players[late], &p, e),
	                   ERR_DAMAGED, e);
	if (rc == 1)
		rc = take_days(q, m, &p, e);
	if (rc <= 0)
		return rc;
	rc = holiday_store(q, &p, e);
	if (rc == 0)
		rc = request_save(q, m, e);
	if (rc < 0 || match_deadline(m) <= q->now)
		return rc;
	tell_both(q, m, late);
	return 1;
}

bool holiday_is_ahead(const struct request *q, const struct match *m)
{
	uint8_t late = match_to_move(m);
	struct player_vacation v;
	struct player_doc p;

	return late != SEAT_NONE && !match_is_solo(m) && match_deadline(m) > q->now &&
	       store_player_get(q->site->store, q->arena, m->doc.players[late], &p, NULL) == 0 &&
	       finds_days(q, m, &p, match_deadline(m), &v, &(struct err){ 0 }) > 0;
}

void holiday_write(const struct player_doc *p, int64_t now, const char *zone, struct str *out)
{
	const struct player_vacation *v = vacation_next(p, now);
	struct str from = STR_LOCAL(100), until = STR_LOCAL(100);

	if (!v)
		return;
	text_date(v->from, zone, &from);
	text_date((v->from <= now ? vacation_until(p, now) : v->until) - 1, zone, &until);
	if (v->from <= now)
		str_addf(out, "%s is on vacation until %s.", p->userid, until.data);
	else
		str_addf(out, "%s will be on vacation from %s until %s.", p->userid, from.data,
		         until.data);
}
