#include "pbm/run/intake.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/sandbox/sandbox.h"
#include "pbm/answer/own_words.h"
#include "pbm/base/clock.h"
#include "pbm/base/err.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/base/stop.h"
#include "pbm/commands/lobby/starts.h"
#include "pbm/outbox/operator.h"
#include "pbm/people/password.h"
#include "pbm/run/attempt.h"
#include "pbm/run/crash_note.h"
#include "pbm/run/due/due.h"
#include "pbm/run/inbox.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/outage.h"
#include "pbm/run/quarantine.h"
#include "pbm/run/run_numbers.h"
#include "store/store_marks.h"

/* A mail older than this is no longer known; its reply tokens have expired by then. */
#define SEEN_SECONDS (400 * INT64_C(86400))

#define MAIL_QUEUE_WAITING 2

/* The mails of a run in their order.  The next ones can be looked at before their turn, and put
 * back. */
struct mail_queue {
	struct mail_source *source;
	size_t unfetched; /* mails that could not be fetched */
	size_t waiting;   /* of next[], the next one first */
	struct {
		struct mail_raw raw;
		int got; /* the result of mail_queue_take() for it */
	} next[MAIL_QUEUE_WAITING];
	struct err why; /* the error, if got is one */
};

#define FETCH_ERRORS 20 /* in a row that name no mail: the source is broken */
#define UNFETCHED 5000  /* mails that can't be fetched; those after them wait for the next run */

/* A mail that can't be fetched must not stop those after it.  A source that fails itself, or
 * returns only errors, ends the run. */
static int fetch(struct mail_queue *f, struct mail_raw *raw, struct err *e)
{
	struct mail_source *source = f->source;
	struct err why = { 0 };

	for (int nameless = 0; nameless < FETCH_ERRORS && f->unfetched < UNFETCHED;
	     nameless += !raw->id[0]) {
		err_clear(&why);
		int got = source->ops->next(source->self, MAIL_MAX_BYTES, raw, &why);

		if (got >= 0)
			return got;
		if (got == ERR_TEMP || got == ERR_UNFILTERED)
			return err_set(e, got, "%s", why.text);
		log_warn("a mail could not be fetched and stays where it is: %s", why.text);
		f->unfetched++;
	}
	if (f->unfetched >= UNFETCHED)
		return 0;
	return err_set(e, why.code, "the source fails: %s", why.text);
}

static void forget_first(struct mail_queue *f)
{
	f->waiting--;
	memmove(f->next, f->next + 1, f->waiting * sizeof f->next[0]);
}

/* The next mail that can be fetched: 1, and the caller releases *raw.  0: there are no more.
 * ERR_TEMP and others: the source fails. */
static int mail_queue_take(struct mail_queue *f, struct mail_raw *raw, struct err *e)
{
	if (f->waiting == 0)
		return fetch(f, raw, e);
	int got = f->next[0].got;

	*raw = f->next[0].raw;
	forget_first(f);
	return got < 0 ? err_set(e, f->why.code, "%s", f->why.text) : got;
}

/* Makes the mail the next one again. */
static void mail_queue_put_back(struct mail_queue *f, const struct mail_raw *raw)
{
	memmove(f->next + 1, f->next, f->waiting * sizeof f->next[0]);
	f->next[0].raw = *raw;
	f->next[0].got = 1;
	f->waiting++;
}

/* The next result of mail_queue_take(), and *raw, which stays in f. */
static int mail_queue_peek(struct mail_queue *f, const struct mail_raw **raw, struct err *e)
{
	if (f->waiting == 0) {
		err_clear(&f->why);
		f->next[0].raw = (struct mail_raw){ 0 };
		f->next[0].got = fetch(f, &f->next[0].raw, &f->why);
		f->waiting = 1;
	}
	*raw = &f->next[0].raw;
	return f->next[0].got < 0 ? err_set(e, f->why.code, "%s", f->why.text) : f->next[0].got;
}

static void mail_queue_close(struct mail_queue *f)
{
	for (size_t i = 0; i < f->waiting; i++)
		mail_raw_release(&f->next[i].raw);
	f->waiting = 0;
}

struct intake {
	struct site *site;
	unsigned flags;
	struct run_report *report;
	struct err *halt;
	struct mail_queue feed;
	struct crash_note note;
	bool more; /* the source may have further mails */
	/* Mails of the running transaction, settled once it is committed. */
	size_t n;
	struct {
		char id[sizeof((struct mail_raw *)0)->id];
		enum mail_fate fate;
	} * done;
};

static int settle(struct intake *t)
{
	struct mail_source *source = t->feed.source;
	struct run_report *r = t->report;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->n; i++) {
		r->handled += t->done[i].fate == MAIL_HANDLED && !(t->flags & MAIL_IN_FETCH);
		r->quarantined += t->done[i].fate == MAIL_QUARANTINED;
		r->retried += t->done[i].fate == MAIL_RETRY;
		r->refused += t->done[i].fate == MAIL_REFUSED;
		rc = source->ops->settle(source->self, t->done[i].id, t->done[i].fate, t->halt);
	}
	t->n = 0;
	return rc == 0 && source->ops->flush ? source->ops->flush(source->self, t->halt) : rc;
}

static const char *const fates[] = { [MAIL_HANDLED] = "taken",
	                             [MAIL_QUARANTINED] = "put aside",
	                             [MAIL_RETRY] = "left for later",
	                             [MAIL_REFUSED] = "refused" };

static int count_mails(const struct intake *t, struct err *e)
{
	int64_t n[RUN_FATES] = { 0 };

	for (size_t i = 0; i < t->n; i++)
		n[t->done[i].fate]++;
	return t->flags & (MAIL_IN_OPERATOR | MAIL_IN_FETCH)
	               ? 0
	               : run_numbers_mails(t->site->store, n, e);
}

/* Tells each player in one mail of the games that moderators' mails started.  A player who can't
 * be told must not stop the others. */
static int tell_starts(struct intake *t, struct err *e)
{
	struct starts *s = t->site->run.starts;
	const char *userid;
	int rc = 0;

	while (rc >= 0 && (userid = starts_reader(s))) {
		struct err why = { 0 };

		rc = due_try(t->site, clock_now(), starts_tell_reader, userid, 0, &why, e);
		if (rc == 1)
			log_error("%s is not told of new games: %s", userid, why.text);
		starts_told(s, userid);
	}
	return rc < 0 ? rc : 0;
}

/* Writes what belongs to the transaction besides its mails. */
static int end_batch(struct intake *t, struct err *e)
{
	bool quarantined = false;
	int rc = count_mails(t, e);

	if (rc == 0)
		rc = tell_starts(t, e);

	for (size_t i = 0; i < t->n; i++)
		quarantined |= t->done[i].fate == MAIL_QUARANTINED;
	if (rc == 0 && quarantined)
		rc = quarantine_prune(t->site, e);
	if (rc == 0 && quarantined)
		rc = quarantine_flush(t->site, e);
	return rc;
}

/* A child reads the next mail while this process works on the one before it. */
static void parse_ahead(struct intake *t)
{
	const struct mail_raw *raw;

	if (!t->flags && mail_queue_peek(&t->feed, &raw, NULL) == 1 && !raw->oversize)
		mail_sandbox_ahead(t->site->sandbox, raw->bytes, raw->len);
}

/* 1: it must begin again; 2: another machine has worked on the mail. */
static int work_on_mail(struct intake *t, const struct mail_raw *raw, enum mail_fate *fate,
                        struct err *e)
{
	const struct mail_source *source = t->feed.source;

	*fate = MAIL_HANDLED;
	if (t->flags & MAIL_IN_FETCH)
		return inbox_add(t->site, raw, e);
	int rc = source->ops->begin ? source->ops->begin(source->self, raw->id, e) : 1;
	if (rc <= 0)
		return rc < 0 ? rc : 2;
	rc = attempt_mail(&t->note, raw, t->flags, fate, t->halt, e);
	return rc == 0 && source->ops->end ? source->ops->end(source->self, raw->id, *fate, e) : rc;
}

/* Works on the next mail.  1: the transaction may take another one. */
static int take_mail(struct intake *t, struct err *e)
{
	struct mail_raw raw = { 0 };

	if (mail_queue_take(&t->feed, &raw, t->halt) <= 0) {
		t->more = false;
		return 0;
	}
	bool apart = !(t->flags & MAIL_IN_FETCH) && attempt_is_apart(&t->note, &raw);
	if (apart && t->n) { /* it begins the next transaction */
		mail_queue_put_back(&t->feed, &raw);
		return 0;
	}
	parse_ahead(t);
	int rc = work_on_mail(t, &raw, &t->done[t->n].fate, e);
	if (rc == 1) {
		mail_queue_put_back(&t->feed, &raw);
		return 0;
	}
	if (rc == 0) {
		log_debug("mail %s: %s", raw.id, fates[t->done[t->n].fate]);
		memcpy(t->done[t->n++].id, raw.id, sizeof raw.id);
	}
	mail_raw_release(&raw);
	return rc < 0 ? rc : !apart;
}

/* Fills one transaction.  After a halt, the mails before it still count. */
static int run_batch(struct intake *t, struct err *e)
{
	struct site *site = t->site;
	size_t most = (size_t)site->conf.batch;
	int rc = store_begin(site->store, e);

	/* Removes up to twice as many old seen marks as it can add. */
	if (rc == 0)
		rc = store_seen_expire(site->store, clock_now() - SEEN_SECONDS, 2 * most, e);
	if (rc == 0)
		rc = store_rates_expire(site->store, clock_now(), e);
	if (rc == 0)
		rc = 1;
	while (rc == 1 && !t->halt->code && t->n < most && !stop_is_wanted())
		rc = take_mail(t, e);
	if (rc >= 0)
		rc = end_batch(t, e);
	return store_end(site->store, rc, e);
}

/* Tells the operator that no mail is read, in a transaction of its own. */
static void no_filter_tell(struct site *site)
{
	static const char text[] =
		"No mail is read: the kernel refuses the filter of system calls (seccomp) that\n"
		"protects this server from hostile mail.  The mails wait at their source.\n\n"
		"Perhaps the kernel was built without seccomp, or a container forbids it.  When\n"
		"that is mended, the next run takes the mails.  To read mail without the filter,\n"
		"write \"unfiltered-parser = yes\" into pbm.conf.";
	struct err e = { 0 };

	if (operator_tell_now(site, "unfiltered", "no mail is read", text, &e) < 0)
		log_error("the operator can't be told that no mail is read: %s", e.text);
}

/* To be called before the first mail of a run is worked on.  ERR_UNFILTERED: its parser would
 * run without the filter, and pbm.conf does not allow that; the operator has been told.  Errors of mail_sandbox_check(). */
static int no_filter_check(struct site *site, struct err *e)
{
	struct err why = { 0 };
	int rc = mail_sandbox_check(site->sandbox, &why);

	if (rc == 1)
		log_warn(
			"mail is read without the filter of system calls, as unfiltered-parser in pbm.conf allows");
	if (rc >= 0)
		return 0;
	if (rc != ERR_UNFILTERED)
		return err_set(e, rc, "%s", why.text);
	no_filter_tell(site);
	return err_set(
		e, rc,
		"no mail is read: the kernel refuses the filter of system calls (seccomp) for "
		"the parser; unfiltered-parser in pbm.conf allows to read without it");
}

/* Fetches the first mail.  If the source answers, mail can be read, and an outage is over: its
 * time is given back now, before a mail can claim a win on time.  pbm talk has no such source
 * and proves nothing. */
static void begin_feed(struct intake *t)
{
	const struct mail_raw *first;
	struct err why = { 0 };

	if (t->flags & MAIL_IN_OPERATOR) {
		no_filter_check(t->site, t->halt);
		return;
	}
	int got = mail_queue_peek(&t->feed, &first, t->halt);
	t->more = got > 0;
	if (got == ERR_UNFILTERED)
		no_filter_tell(t->site);
	if (got == 1 && no_filter_check(t->site, t->halt) < 0)
		return;
	/* That a mail is in the store says nothing of the source (pbm/run/fetch.c). */
	if (got >= 0 && !t->feed.source->ops->begin && outage_check(t->site, clock_now(), &why) < 0)
		err_set(t->halt, why.code, "%s", why.text);
}

static int take_mails(struct intake *t, struct err *e)
{
	int rc = 0;

	begin_feed(t);
	while (rc == 0 && t->more && !t->halt->code) {
		if (stop_is_wanted()) {
			err_set(t->halt, ERR_TEMP, "the run was told to stop");
			break;
		}
		rc = run_batch(t, e);
		/* A mail that was not settled comes again; its seen mark makes that harmless. */
		if (rc == 0 && settle(t) < 0)
			t->more = false;
		if (t->report->progress)
			t->report->progress(t->report);
		password_desk_work(t->site->run.desk);
	}
	return rc;
}

int intake_run(struct site *site, struct mail_source *source, unsigned flags,
               struct run_report *report, struct err *halt, struct err *e)
{
	struct intake t = { .site = site,
		            .flags = flags,
		            .report = report,
		            .halt = halt,
		            .feed.source = source,
		            .more = true };
	int rc = crash_note_open(site, &t.note, e);

	t.done = mem_alloc((size_t)site->conf.batch * sizeof *t.done);
	site->run.desk = password_desk_open();
	site->run.starts = starts_open();
	site->run.own_words = own_words_open(site->template_dir);
	if (rc == 0)
		rc = take_mails(&t, e);
	crash_note_close(&t.note);
	mail_sandbox_stop(site->sandbox);
	password_desk_close(site->run.desk);
	site->run.desk = NULL;
	starts_close(site->run.starts);
	site->run.starts = NULL;
	own_words_close(site->run.own_words);
	site->run.own_words = NULL;
	mail_queue_close(&t.feed);
	report->unfetched += t.feed.unfetched;
	free(t.done);
	return rc;
}
