#include "pbm/run/outage.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/outbox/operator.h"
#include "pbm/record/calendar.h"
#include "pbm/record/match.h"
#include "pbm/request/request.h"
#include "pbm/run/due/deadlines.h"
#include "pbm/run/mail_findings.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define HOUR 3600

struct outage {
	int64_t last, since, until, board;
};

static int load_outage(struct site *site, struct outage *o, struct err *e)
{
	const struct store_value values[] = {
		{ OUTAGE_LAST_RUN, &o->last },
		{ OUTAGE_SINCE, &o->since },
		{ OUTAGE_UNTIL, &o->until },
		{ OUTAGE_BOARD, &o->board },
	};

	return store_values(site->store, sizeof values / sizeof values[0], values, e);
}

static int save_outage(struct site *site, const struct outage *o, struct err *e)
{
	store_value_set(site->store, OUTAGE_SINCE, o->since, e);
	store_value_set(site->store, OUTAGE_UNTIL, o->until, e);
	return store_value_set(site->store, OUTAGE_BOARD, o->board, e);
}

static bool was_away(const struct site *site, const struct outage *o, int64_t now)
{
	return o->last && site->conf.outage_hours &&
	       now - o->last >= site->conf.outage_hours * HOUR;
}

static int tell_of_outage(struct site *site, const struct outage *o, struct err *e)
{
	char text[500];

	snprintf(
		text, sizeof text,
		"No run could read the mail from %s to %s.  Every player to move gets this time back, and one day more.  If runs are meant to be so rare, raise outage-hours in pbm.conf.",
		CLOCK_ISO(o->since), CLOCK_ISO(o->until));
	log_warn("%s", text);
	return operator_tell(site, "outage", "the server was away", text, e);
}

/* Notes this run and, in the same transaction, the outage that it found. */
static int note_run(struct site *site, struct outage *o, int64_t now, struct err *e)
{
	bool away = was_away(site, o, now);
	int rc = away ? store_begin(site->store, e) : store_begin_light(site->store, e);

	if (rc < 0)
		return rc;
	if (away) {
		o->since = o->last;
		o->until = now;
		o->board = 0;
		rc = save_outage(site, o, e);
	}
	if (rc == 0 && away)
		rc = tell_of_outage(site, o, e);
	/* A new site: each mail that it files will leave a mark. */
	if (rc == 0 && !o->last)
		rc = store_value_set(site->store, SIGNS_FILED, now, e);
	if (rc == 0)
		rc = store_value_set(site->store, OUTAGE_LAST_RUN, now, e);
	return away ? store_end(site->store, rc, e) : store_end_light(site->store, rc, true, e);
}

/* Did the running turn get time from a clock that was ahead? */
static bool was_given_time(const struct match *m, int64_t now)
{
	const struct game_doc *d = &m->doc;
	bool given = m->turn_started + m->given > now;

	for (size_t i = d->event_count; !given && i-- > 0 && d->events[i].kind != EVENT_MOVE;)
		given = d->events[i].kind == EVENT_EXTEND && d->events[i].at > now;
	return given;
}

/* Gives the time of an outage, or takes back what a wrong clock gave. */
static int set_clock(struct request *q, struct match *m, void *arg, struct err *e)
{
	const struct outage *o = arg;
	bool back = o->until < o->since;

	if (m->doc.state != GAME_RUNNING || match_is_paused(m) ||
	    (back && !was_given_time(m, q->now)))
		return 0;
	/* Give back only time that would have counted on the clock. */
	struct calendar c = match_calendar(m, match_to_move(m));
	int64_t seconds = back ? o->since - o->until
	                       : calendar_count(&c, o->since, o->until) + CLOCK_DAY;
	int n = seconds < INT_MAX ? (int)seconds : INT_MAX;
	if (back)
		match_shorten(m, n, "the clock has been set right", q->now);
	else
		match_extend(m, n, MATCH_AWAY, q->now);
	return request_save(q, m, e);
}

struct boards {
	size_t n;
	int64_t *v;
};

static int add_board(const struct game_row *row, void *arg)
{
	struct boards *b = arg;

	b->v[b->n++] = row->board;
	return 0;
}

/* One transaction; o->until is 0 after the last one. */
static int extend_batch(struct site *site, struct outage *o, struct boards *b, size_t most,
                        struct err *e)
{
	struct err halt = { 0 };

	b->n = 0;
	int rc = store_running(site->store, o->board, most, add_board, b, e);
	if (rc == 0)
		rc = store_begin(site->store, e);
	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		rc = deadlines_try(site, b->v[i], o->until, set_clock, o, &halt, e);
		if (halt.code)
			break;
		o->board = b->v[i];
	}
	if (b->n < most && !halt.code)
		o->since = o->until = o->board = 0;
	if (rc == 0)
		rc = save_outage(site, o, e);
	rc = store_end(site->store, rc, e);
	return rc == 0 && halt.code ? err_set(e, halt.code, "%s", halt.text) : rc;
}

static int make_outage_good(struct site *site, struct outage *o, struct err *e)
{
	size_t most = (size_t)site->conf.batch;
	struct boards b = { 0 };
	int rc = 0;

	if (!o->until)
		return 0;
	b.v = mem_alloc(most * sizeof *b.v);
	while (rc == 0 && o->until)
		rc = extend_batch(site, o, &b, most, e);
	free(b.v);
	return rc;
}

int outage_check(struct site *site, int64_t now, struct err *e)
{
	struct outage o;
	int rc = load_outage(site, &o, e);

	/* First finish the outage that a cut run left; there may be a newer one. */
	if (rc == 0)
		rc = make_outage_good(site, &o, e);
	/* A difference in either direction counts: a wrong clock may have been set right. */
	if (rc == 0 && llabs(now - o.last) >= HOUR)
		rc = note_run(site, &o, now, e);
	return rc == 0 ? make_outage_good(site, &o, e) : rc;
}

int outage_take_back(struct site *site, int64_t from, int64_t to, struct err *e)
{
	struct outage o;
	int rc = load_outage(site, &o, e);

	if (rc == 0)
		rc = make_outage_good(site, &o, e);
	if (rc == 0)
		rc = store_begin(site->store, e);
	if (rc < 0)
		return rc;
	o = (struct outage){ .since = from, .until = to };
	return store_end(site->store, save_outage(site, &o, e), e);
}

int outage_is_open(struct site *site, int64_t now, struct err *e)
{
	struct outage o;
	int rc = load_outage(site, &o, e);

	return rc < 0 ? rc : o.until != 0 || was_away(site, &o, now);
}
