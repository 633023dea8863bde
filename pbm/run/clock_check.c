#include "pbm/run/clock_check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/outbox/operator.h"
#include "pbm/run/outage.h"
#include "store/shared/store_server.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"

/* The stored values. */
struct clock_line {
	int64_t machine, boot, boottime, shift, doubt, gap_from, gap_to;
};

static const struct {
	const char *name;
	size_t offset;
} values[] = {
	{ CLOCK_MACHINE, offsetof(struct clock_line, machine) },
	{ CLOCK_BOOT, offsetof(struct clock_line, boot) },
	{ CLOCK_BOOTTIME, offsetof(struct clock_line, boottime) },
	{ CLOCK_SHIFT, offsetof(struct clock_line, shift) },
	{ CLOCK_DOUBT, offsetof(struct clock_line, doubt) },
	{ CLOCK_GAP_FROM, offsetof(struct clock_line, gap_from) },
	{ CLOCK_GAP_TO, offsetof(struct clock_line, gap_to) },
};
#define VALUES (sizeof values / sizeof values[0])

static int64_t *value_at(struct clock_line *l, size_t i)
{
	return (int64_t *)(void *)((char *)l + values[i].offset);
}

static int load_line(struct site *site, struct clock_line *l, struct err *e)
{
	char names[VALUES][STORE_OWN_NAME_SIZE];
	struct store_value v[VALUES];

	for (size_t i = 0; i < VALUES; i++)
		v[i] = (struct store_value){ store_own_name(site->store, values[i].name, names[i]),
			                     value_at(l, i) };
	return store_values(site->store, VALUES, v, e);
}

/* One look at the clock, compared with the last one. */
struct look {
	struct clock_line was, is;
	struct clock_witness witness;
	bool same_boot;
	int64_t low, high; /* the machine's clock must be between them, or it jumped */
	int64_t line;      /* the least time that the site can have now */
};

static void compare(struct look *k)
{
	const struct clock_line *was = &k->was;
	int64_t passed = k->witness.boottime - was->boottime;

	k->same_boot = was->boot && was->boot == k->witness.boot && passed >= 0;
	k->low = was->machine + (k->same_boot ? passed : 0) - CLOCK_TOLERANCE;
	k->high = was->machine + (k->same_boot ? passed + CLOCK_TOLERANCE : CLOCK_GAP);
	k->line = was->machine + was->shift + (k->same_boot ? passed : 0);
}

enum verdict {
	CLOCK_RUNS,    /* no jump; in doubt or not, as before */
	CLOCK_DOUBTED, /* it jumped */
	CLOCK_RIGHT,   /* it jumped back to the site's time */
	CLOCK_BELIEVED /* it jumped, now or before, and there is a reason to believe it */
};

/* Is the clock in the gap that an earlier clock jumped over? */
static bool is_in_gap(const struct look *k)
{
	return k->was.gap_to && k->is.machine >= k->was.gap_from - CLOCK_TOLERANCE &&
	       k->is.machine < k->was.gap_to;
}

/* Does the distrusted clock agree with the site's time again?  A slow clock can do so without a
 * jump, as far as anybody can tell. */
static bool is_right_again(const struct look *k, bool jumped)
{
	int64_t now = k->is.machine, room = k->same_boot ? CLOCK_TOLERANCE : CLOCK_GAP;

	if (!k->was.doubt || now < k->line - CLOCK_TOLERANCE || now > k->line + room)
		return false;
	return jumped || (!k->same_boot && k->was.shift > 0 && now >= k->line);
}

static enum verdict judge(const struct look *k)
{
	int64_t now = k->is.machine;
	bool jumped = now < k->low || now > k->high;

	if (!jumped && !k->was.doubt)
		return CLOCK_RUNS;
	if (is_right_again(k, jumped))
		return CLOCK_RIGHT;
	if (k->witness.synced || (jumped && is_in_gap(k)))
		return CLOCK_BELIEVED;
	if (jumped)
		return CLOCK_DOUBTED;
	return now - k->was.doubt >= CLOCK_STEADY ? CLOCK_BELIEVED : CLOCK_RUNS;
}

/* The sentences for the log and for the operator. */
static void describe(const struct look *k, enum verdict v, char *text, size_t size)
{
	const char *now = CLOCK_ISO(k->is.machine), *line = CLOCK_ISO(k->line);

	if (v == CLOCK_DOUBTED)
		snprintf(
			text, size,
			"The clock of the machine jumped to %s; by the last run it is %s or later.  The new time is not believed yet, and the server goes on from the old one: nothing ends, lapses or is given up because of the jump.  Please look at the machine's clock.  If it runs on for a day without a jump, or the system keeps it right by NTP, it is believed.",
			now, line);
	else if (v == CLOCK_RIGHT)
		snprintf(
			text, size,
			"The clock of the machine is right again: %s.  The time that was not believed has changed nothing.",
			now);
	else
		snprintf(
			text, size,
			"The clock of the machine jumped: it is %s, and by the last run it would be %s.  The new time is believed.%s",
			now, line,
			k->is.machine < k->line - CLOCK_TOLERANCE
				? "  What running games were given by the wrong time is taken back."
				: "");
}

/* Makes mails that wait for a far time due now, because the time went back. */
static int go_back(struct site *site, const struct look *k, struct err *e)
{
	int rc = outage_take_back(site, k->line, k->is.machine, e);

	if (rc < 0)
		return rc;
	rc = store_begin(site->store, e);
	store_outbox_hurry(site->store, 0, k->is.machine, e);
	return store_end(site->store, rc, e);
}

static void decide(struct look *k, enum verdict v)
{
	struct clock_line *is = &k->is;

	if (v == CLOCK_DOUBTED) {
		is->doubt = is->machine;
		is->shift = k->line - is->machine;
	} else if (v == CLOCK_RIGHT || v == CLOCK_BELIEVED) {
		is->doubt = is->shift = 0;
	}
	bool ahead = !k->witness.synced &&
	             (v == CLOCK_BELIEVED || (v == CLOCK_RUNS && !k->same_boot && !is->doubt));
	if (v == CLOCK_BELIEVED && is->machine <= k->line)
		is->gap_from = is->gap_to = 0;
	else if (ahead && is->machine > k->line + 2 * CLOCK_TOLERANCE) {
		is->gap_from = k->line;
		is->gap_to = is->machine;
	}
}

/* Notes what changed; the machine's clock and its witness only once an hour. */
static int save_line(struct site *site, struct look *k, const char *news, struct err *e)
{
	char name[STORE_OWN_NAME_SIZE];
	int rc = news ? store_begin(site->store, e) : store_begin_light(site->store, e);

	for (size_t i = 0; rc == 0 && i < VALUES; i++)
		if (*value_at(&k->is, i) != *value_at(&k->was, i))
			rc = store_value_set(site->store,
			                     store_own_name(site->store, values[i].name, name),
			                     *value_at(&k->is, i), e);
	if (rc == 0 && news)
		rc = operator_tell(site, "clock of the machine", "the clock jumped", news, e);
	return news ? store_end(site->store, rc, e) : store_end_light(site->store, rc, true, e);
}

int clock_compare(struct site *site, struct err *e)
{
	struct store_server server = { 0 };
	int rc = store_is_shared(site->store) ? store_server_look(site->store, &server, e) : 0;

	site->run.trip = server.trip;
	if (rc < 0 || llabs(server.skew) <= STORE_SKEW)
		return rc;
	return err_set(
		e, ERR_TEMP,
		"the clock of this machine is %lld seconds %s that of the PostgreSQL server: set it right (NTP); until then this machine does nothing, and mails wait",
		llabs(server.skew), server.skew > 0 ? "ahead of" : "behind");
}

int clock_check(struct site *site, struct err *e)
{
	struct look k = { .witness = clock_witness() };
	int rc = clock_compare(site, e);

	if (rc == 0)
		rc = load_line(site, &k.was, e);
	char text[800];

	clock_shift(0);
	if (rc < 0)
		return rc;
	k.is = k.was;
	k.is.machine = clock_machine();
	k.is.boot = k.witness.boot;
	k.is.boottime = k.witness.boottime;
	if (!k.was.machine) /* the first run */
		return save_line(site, &k, NULL, e);
	compare(&k);
	enum verdict v = judge(&k);
	decide(&k, v);
	clock_shift(k.is.shift);
	if (v == CLOCK_RUNS)
		return llabs(k.is.machine - k.was.machine) >= CLOCK_TOLERANCE ||
		                       k.is.boot != k.was.boot
		               ? save_line(site, &k, NULL, e)
		               : 0;
	describe(&k, v, text, sizeof text);
	log_warn("%s", text);
	if (v == CLOCK_BELIEVED && k.is.machine < k.line - CLOCK_TOLERANCE)
		rc = go_back(site, &k, e);
	return rc < 0 ? rc : save_line(site, &k, text, e);
}
