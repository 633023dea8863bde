#include "pbm/run/due/deadlines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/stop.h"
#include "pbm/commands/play/play.h"
#include "pbm/commands/staff/sanctions.h"
#include "pbm/outbox/operator.h"
#include "pbm/outbox/outbox.h"
#include "pbm/people/holiday.h"
#include "pbm/people/quiet.h"
#include "pbm/people/settings.h"
#include "pbm/record/match_clock.h"
#include "pbm/request/request_player.h"
#include "store/document/tournament.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define SECONDS 30 /* of one run; the next run does the other games */
#define ATTEMPTS 3 /* at a game that the machine fails to read */
#define MONTH (30 * TIMETABLE_DAY)
#define NOT_SENT "not sent"

/* Skips a game, and tells the operator.  why: NULL: the program failed in it. */
static int pass_by_game(struct site *site, int64_t board, const char *why, struct err *e)
{
	const char *text = PRINTED(
		800, "Reminders and deadlines of board %lld can't be handled: %.600s",
		(long long)board, why ? why : "the program has failed in it again and again");
	log_warn("%s", text);
	return operator_tell(site, "clock", "the clock of a game is not handled", text, e);
}

static int work_on_game(struct site *site, struct arena *a, int64_t board, int64_t now,
                        deadlines_fn *fn, void *arg, struct err *e)
{
	struct request *q = request_new(site, a, now);
	struct match *m = request_match(q, board, e);
	int rc = m ? fn(q, m, arg, e) : (int)e->code;
	return rc == 0 ? notify_all(q, e) : rc;
}

/* The next run may find the machine in order.  But a file that can never be read must not stop
 * the other games. */
static int after_trouble(struct site *site, int64_t board, const struct err *why, struct err *halt,
                         struct err *e)
{
	int64_t count = 0;

	int rc = store_rate(site->store, PRINTED(60, "attempt:clock %lld", (long long)board),
	                    clock_now(), MONTH, &count, e);
	if (rc < 0)
		return rc;
	if (count >= ATTEMPTS)
		return pass_by_game(site, board, why->text, e);
	err_set(halt, why->code, "%s", why->text);
	return 0;
}

int deadlines_try(struct site *site, int64_t board, int64_t now, deadlines_fn *fn, void *arg,
                  struct err *halt, struct err *e)
{
	AUTO(arena_release) struct arena arena = { 0 };
	struct err why = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0)
		return rc;
	rc = work_on_game(site, &arena, board, now, fn, arg, &why);
	rc = store_end_mark(site->store, rc, &why, e);
	if (rc <= 0)
		return rc;
	return err_is_of_machine(&why) ? after_trouble(site, board, &why, halt, e)
	                               : pass_by_game(site, board, why.text, e);
}

/* The cause names board, state, kind and number; the mails' Message-IDs come from it. */
static void set_cause(struct request *q, const struct match *m, const char *kind, int number)
{
	snprintf(q->cause, sizeof q->cause, "%s %lld %u %d", kind, (long long)m->doc.board,
	         m->stamp, number);
}

static struct note *tell_seat(struct request *q, const struct match *m, uint8_t seat,
                              unsigned flags)
{
	struct note *n = request_note(q, m->doc.players[seat], m->doc.board, flags);

	n->seat = seat;
	return n;
}

/* Does the player want reminders, and can he be reached by mail? */
static int may_remind(struct request *q, const struct match *m, bool *out, struct err *e)
{
	const char *userid = m->doc.players[match_to_move(m)];
	struct player_doc p;
	int rc = err_found(store_player_get(q->site->store, q->arena, userid, &p, e), ERR_DAMAGED,
	                   e);

	*out = rc == 1 && !p.signed_off && !quiet_has(&p, m->doc.board) &&
	       player_is_reachable(&p) && settings_is(&p, "reminders", "on");
	return rc < 0 ? rc : 0;
}

/* Tells the director early of a player who has not come. */
static void tell_director(struct request *q, const struct match *m, uint8_t seat)
{
	const char *name = m->doc.tournament, *who = m->doc.players[seat];
	long long board = (long long)m->doc.board;
	struct tournament_doc t;

	if (!name || m->ply > 1 || m->reminders != 1 ||
	    store_tournament_get(q->site->store, q->arena, name, &t, NULL) < 0 ||
	    t.kind == TOURNAMENT_LADDER || strcasecmp(t.director, who) == 0)
		return;
	struct note *n = request_note(q, t.director, 0, 0);
	n->subject = arena_printf(q->arena, "%s has not come yet to a game of %s", who, t.name);
	n->headline = arena_printf(
		q->arena,
		"%s has not made the first move on board %lld of the tournament %s, and is reminded.  If none comes, the game ends by itself.  To decide it earlier, write: mod tournament %s result %lld %s why",
		who, board, t.name, t.name, board, seat == SEAT_WHITE ? "0-1" : "1-0");
}

static int remind_player(struct request *q, struct match *m, struct err *e)
{
	uint8_t seat = match_to_move(m);
	bool wanted;
	int rc = may_remind(q, m, &wanted, e);

	if (rc < 0)
		return rc;
	match_remind(m, wanted ? NULL : NOT_SENT, q->now);
	set_cause(q, m, "remind", m->reminders);
	if (wanted) {
		struct note *n = tell_seat(q, m, seat,
		                           NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_CLOCK);

		n->subject = "a reminder, it is your move";
	}
	tell_director(q, m, seat);
	return request_save(q, m, e);
}

/* Uses days of vacation, because no time is left; without any, tells the opponent what he can
 * do. */
static int time_is_up(struct request *q, struct match *m, struct err *e)
{
	uint8_t late = match_to_move(m);
	struct turn_clock c;

	set_cause(q, m, "up", (int)m->doc.event_count);
	int rc = holiday_spend(q, m, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	match_time_up(m, q->now);
	match_clock(m, &c);
	struct note *n = tell_seat(q, m, !late, NOTE_BOARD | NOTE_MOVES);
	n->subject = arena_printf(q->arena, "%s's time is up", m->doc.players[late]);
	n->headline = arena_printf(
		q->arena,
		"%s's time is up. `claim time` ends the game, `gift 5` gives %s five days more; otherwise the game ends by itself on %s.",
		m->doc.players[late], m->doc.players[late],
		request_date(q, m->doc.players[!late], timetable_end(&c)));
	return request_save(q, m, e);
}

static int warn_player(struct request *q, struct match *m, struct err *e)
{
	uint8_t seat = match_to_move(m);

	match_warn(m, q->now);
	set_cause(q, m, "warn", (int)m->doc.event_count);
	tell_seat(q, m, seat, NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_CLOCK)
		->subject = "a warning, the game will be ended";
	return request_save(q, m, e);
}

/* Makes the side to move lose an idle game of a tournament: the others wait for its result. */
static int lose_idle_game(struct request *q, struct match *m, struct err *e)
{
	uint8_t late = match_to_move(m);

	match_end(m, late == SEAT_WHITE ? "0-1" : "1-0", "nobody had touched the game for 90 days",
	          SEAT_NONE, q->now);
	for (uint8_t seat = 0; seat < 2; seat++)
		tell_seat(q, m, seat, NOTE_BOARD | NOTE_MOVES | NOTE_FINAL)
			->headline = arena_printf(
			q->arena,
			"Nobody has touched this game of a tournament for 90 days.  %s was to move, and loses it.",
			m->doc.players[late]);
	return request_save(q, m, e);
}

/* Closes a game that nobody has touched for TIMETABLE_IDLE days, while neither side has run out
 * of time: neither loses. */
static int close_game(struct request *q, struct match *m, struct err *e)
{
	static const char why[] = "nobody had touched the game for 90 days";

	_Static_assert(TIMETABLE_IDLE == 90, "the number in the text");
	set_cause(q, m, "idle", 0);
	if (m->doc.tournament)
		return lose_idle_game(q, m, e);
	match_end(m, "*", why, SEAT_NONE, q->now);
	for (int seat = 0; seat < (match_is_solo(m) ? 1 : 2); seat++)
		tell_seat(q, m, (uint8_t)seat, NOTE_BOARD | NOTE_MOVES | NOTE_FINAL)->headline =
			"Nobody has touched this game for 90 days, and the server has closed it.  It does not count.";
	return request_save(q, m, e);
}

static int end_game(struct request *q, struct match *m, struct err *e)
{
	if (match_deadline(m) > q->now)
		return close_game(q, m, e);
	uint8_t late = match_to_move(m);
	bool loses = match_would_lose(m);
	const char *who = m->doc.players[late];
	unsigned flags = NOTE_BOARD | NOTE_MOVES | NOTE_FINAL;

	set_cause(q, m, "end", 0);
	match_time_out(m, SEAT_NONE, q->now);
	tell_seat(q, m, late, flags)->headline =
		loses ? "The server has ended the game."
		      : "You made no move in time, and the server has closed the game.  It does not count.";
	if (!match_is_solo(m))
		tell_seat(q, m, !late, flags)->headline =
			loses ? "The server has ended the game."
			      : arena_printf(
					q->arena,
					"%s never made a move, and the server has closed the game.  It does not count.",
					who);
	return request_save(q, m, e);
}

static int lapse_offer(struct request *q, struct match *m, struct err *e)
{
	const struct game_doc *d = &m->doc;
	uint8_t by = game_offer_seat(d);

	set_cause(q, m, "lapse", 0);
	match_end(m, "*", arena_printf(q->arena, "not answered in %d days", TIMETABLE_OFFER),
	          SEAT_NONE, q->now);
	if (d->players[by] && d->players[!by]) {
		struct note *n = tell_seat(q, m, by, 0);

		n->subject = "your offer has lapsed";
		n->headline =
			strcasecmp(d->players[!by], GAME_ANYONE) == 0
				? arena_printf(
					  q->arena,
					  "Nobody took your seek %lld in %d days; it has lapsed.",
					  (long long)d->board, TIMETABLE_OFFER)
				: arena_printf(
					  q->arena,
					  "%s has not answered offer %lld in %d days; it has lapsed.",
					  d->players[!by], (long long)d->board, TIMETABLE_OFFER);
	}
	return request_save(q, m, e);
}

static int play_pending(struct request *q, struct match *m, struct err *e)
{
	set_cause(q, m, "play", (int)m->doc.event_count);
	return play_waiting(q, m, e);
}

static int (*const duties[])(struct request *, struct match *, struct err *) = {
	[DUTY_REMIND] = remind_player, [DUTY_TIME_UP] = time_is_up, [DUTY_WARN] = warn_player,
	[DUTY_END] = end_game,         [DUTY_LAPSE] = lapse_offer,  [DUTY_PLAY] = play_pending,
};

struct duty_call {
	int64_t told; /* SINK_SILENT: the sink's last failure, or the first success after it */
	enum duty done;
};

/* Machines that share the store know all mails only up to a time a little ago.  Did something happen
 * in the game since then?  Then it waits for the next run. */
static bool is_ahead(const struct request *q, const struct match *m)
{
	const struct game_doc *d = &m->doc;
	int64_t at = d->event_count ? d->events[d->event_count - 1].at : 0;

	return store_is_shared(q->site->store) && at > q->now && at <= clock_now();
}

/* If the index is older than the game, sets the game's due time right.  A game ends only a day
 * after its warning could be sent. */
static int do_duty(struct request *q, struct match *m, void *arg, struct err *e)
{
	struct duty_call *a = arg;
	int64_t at;

	if (is_ahead(q, m))
		return 0;
	set_cause(q, m, "ban", 0);
	int swept = sanctions_sweep(q, m, e);
	a->done = swept == 1 ? DUTY_END : DUTY_NONE;
	if (swept != 0)
		return swept < 0 ? swept : 0;
	enum duty duty = match_duty(m, &at);
	if (duty == DUTY_NONE || at > q->now) {
		m->doc.due = at;
		return request_save(q, m, e);
	}
	if (duty == DUTY_END && q->now < a->told + TIMETABLE_DAY)
		return 0;
	a->done = duty;
	int rc = duties[duty](q, m, e);
	/* A late run does at once what was due step by step. */
	for (enum duty next = match_duty(m, &at);
	     rc == 0 && at <= q->now && next > duty && (next == DUTY_TIME_UP || next == DUTY_WARN);
	     next = match_duty(m, &at)) {
		duty = next;
		rc = duties[duty](q, m, e);
	}
	return rc;
}

struct due_boards {
	size_t n;
	struct due_place *v;
};

static int add_due_board(const struct game_row *row, void *arg)
{
	struct due_boards *d = arg;

	d->v[d->n++] = (struct due_place){ row->due, row->board };
	return 0;
}

static int do_guarded(struct site *site, int64_t board, int64_t now,
                      const struct deadlines_guard *guard, struct duty_call *a, struct err *halt,
                      struct err *e)
{
	int rc = guard->begin(guard->arg, board, e);

	if (rc > 0)
		return pass_by_game(site, board, NULL, e);
	if (rc < 0)
		return rc;
	rc = deadlines_try(site, board, now, do_duty, a, halt, e);
	return guard->end(guard->arg, rc == 0 ? e : NULL) < 0 && rc == 0 ? -1 : rc;
}

static int do_batch(struct site *site, const struct due_boards *d, int64_t now, int64_t told,
                    const struct deadlines_guard *guard, struct deadlines_report *report,
                    struct err *e)
{
	struct deadlines_report sum = *report;
	struct err halt = { 0 };
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && !halt.code && i < d->n; i++) {
		struct duty_call a = { .told = told };

		rc = do_guarded(site, d->v[i].board, now, guard, &a, &halt, e);
		sum.reminded += a.done == DUTY_REMIND || a.done == DUTY_TIME_UP ||
		                a.done == DUTY_WARN;
		sum.ended += a.done == DUTY_END || a.done == DUTY_LAPSE;
	}
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	*report = sum;
	rc = store_commit(site->store, e);
	return rc == 0 && halt.code ? err_set(e, halt.code, "%s", halt.text) : rc;
}

/* A player who can't be warned by mail must not lose on time. */
static int ask_silence(struct site *site, bool *silent, int64_t *told, struct err *e)
{
	int64_t failures = 0;
	int rc = store_value(site->store, SINK_FAILURES, &failures, e);

	if (rc == 0)
		rc = store_value(site->store, SINK_SILENT, told, e);
	if (*told > clock_now()) /* a clock was wrong */
		*told = 0;
	*silent = failures > 0;
	return rc;
}

int deadlines_run(struct site *site, int64_t now, const struct deadlines_guard *guard,
                  struct deadlines_report *report, struct err *e)
{
	size_t most = (size_t)site->conf.batch;
	struct due_boards due = { .v = mem_alloc(most * sizeof *due.v) };
	struct due_place after = { 0 };
	int64_t stop = clock_ms() + SECONDS * 1000, told = 0;
	bool silent = false;
	int rc;

	do {
		due.n = 0;
		rc = store_due(site->store, now, after, most, add_due_board, &due, e);
		if (rc == 0 && due.n)
			rc = ask_silence(site, &silent, &told, e);
		if (rc < 0 || !due.n || silent)
			break;
		rc = do_batch(site, &due, now, told, guard, report, e);
		/* Skip failed games; the next run tries them again. */
		after = due.v[due.n - 1];
		report->later = clock_ms() > stop;
	} while (rc == 0 && due.n == most && !report->later && !stop_is_wanted());
	if (silent)
		log_info("no player is reminded and no game is ended, because mail cannot be sent");
	free(due.v);
	return rc;
}
