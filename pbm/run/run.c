#include "pbm/run/run.h"

#include <stdlib.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/sandbox/sandbox.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/people/password.h"
#include "pbm/request/rating_again.h"
#include "pbm/run/attempt.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/club.h"
#include "pbm/run/crash_note.h"
#include "pbm/run/deadlines.h"
#include "pbm/run/digests.h"
#include "pbm/run/disk_space.h"
#include "pbm/run/filed.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/outage.h"
#include "pbm/run/outbox.h"
#include "pbm/run/publish.h"
#include "pbm/run/quarantine.h"
#include "pbm/run/run_numbers.h"
#include "pbm/run/spectate.h"
#include "pbm/run/suspensions.h"
#include "pbm/run/tournaments.h"
#include "pbm/run/unfiltered.h"
#include "pbm/run/unread.h"
#include "store/store_marks.h"

#define FETCH_ERRORS 20 /* in a row that name no mail: the source is broken */
#define UNFETCHED 5000  /* mails that can't be fetched; those behind them wait for the next run */
/* A mail older than this is no longer known; its reply tokens have expired by then. */
#define SEEN_SECONDS (400 * INT64_C(86400))

/* Mails of the running transaction, settled once it is committed. */
struct batch {
	size_t n;
	struct {
		char id[sizeof((struct mail_raw *)0)->id];
		enum mail_fate fate;
	} * v;
};

/* The source, with the mail that was fetched to see whether it works. */
struct feed {
	struct mail_source *source;
	struct mail_raw first;
	int got;    /* what next_mail() returned for it */
	bool waits; /* it has not been worked on yet */
	size_t unfetched;
};

static int settle_batch(struct mail_source *source, struct batch *b, struct run_report *r,
                        struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		r->handled += b->v[i].fate == MAIL_HANDLED;
		r->quarantined += b->v[i].fate == MAIL_QUARANTINED;
		r->retried += b->v[i].fate == MAIL_RETRY;
		r->refused += b->v[i].fate == MAIL_REFUSED;
		rc = source->ops->settle(source->self, b->v[i].id, b->v[i].fate, e);
	}
	b->n = 0;
	return rc == 0 && source->ops->flush ? source->ops->flush(source->self, e) : rc;
}

/* The next mail that can be fetched.  A mail that can't be fetched must not stop those
 * behind it.  A source that fails itself, or returns only errors, ends the run. */
static int next_mail(struct feed *feed, struct mail_raw *raw, struct err *e)
{
	struct mail_source *source = feed->source;
	struct err why = { 0 };

	if (feed->waits) {
		feed->waits = false;
		*raw = feed->first;
		return feed->got;
	}

	for (int nameless = 0; nameless < FETCH_ERRORS && feed->unfetched < UNFETCHED;
	     nameless += !raw->id[0]) {
		err_clear(&why);
		raw->id[0] = '\0';
		int got = source->ops->next(source->self, MAIL_MAX_BYTES, raw, &why);

		if (got >= 0)
			return got;
		if (got == ERR_TEMP || got == ERR_UNFILTERED)
			return err_set(e, got, "%s", why.text);
		log_warn("a mail could not be fetched and stays where it is: %s", why.text);
		feed->unfetched++;
	}
	if (feed->unfetched >= UNFETCHED)
		return 0;
	return err_set(e, why.code, "the source fails: %s", why.text);
}

/* The mail is the next one again. */
static void put_back(struct feed *feed, const struct mail_raw *raw)
{
	feed->first = *raw;
	feed->got = 1;
	feed->waits = true;
}

static const char *const fates[] = { [MAIL_HANDLED] = "taken",
	                             [MAIL_QUARANTINED] = "put aside",
	                             [MAIL_RETRY] = "left for later",
	                             [MAIL_REFUSED] = "refused" };

static int count_mails(struct site *site, const struct batch *b, unsigned flags, struct err *e)
{
	int64_t n[RUN_FATES] = { 0 };

	for (size_t i = 0; i < b->n; i++)
		n[b->v[i].fate]++;
	return flags & MAIL_IN_OPERATOR ? 0 : run_numbers_mails(site->store, n, e);
}

static int end_batch(struct site *site, const struct batch *b, unsigned flags, bool quarantined,
                     struct err *e)
{
	int rc = count_mails(site, b, flags, e);

	if (rc == 0 && quarantined)
		rc = quarantine_prune(site, e);
	return rc == 0 && quarantined ? quarantine_flush(site, e) : rc;
}

/* Fills one transaction.  *more: the source may have further mails.  When *halt is set
 * the mails before it count all the same. */
static int run_batch(struct crash_note *note, struct feed *feed, unsigned flags, struct batch *b,
                     bool *more, struct err *halt, struct err *e)
{
	struct site *site = note->site;
	size_t most = (size_t)site->batch;
	int rc = store_begin(site->store, e);
	bool quarantined = false;

	/* Removes up to twice as many old seen marks as it can add. */
	if (rc == 0)
		rc = store_seen_expire(site->store, clock_now() - SEEN_SECONDS, 2 * most, e);

	while (rc == 0 && !halt->code && b->n < most) {
		struct mail_raw raw = { 0 };
		if (next_mail(feed, &raw, halt) <= 0) {
			*more = false;
			break;
		}
		bool apart = attempt_is_apart(note, &raw);
		if (apart && b->n) { /* it begins the next transaction */
			put_back(feed, &raw);
			break;
		}
		rc = attempt_mail(note, &raw, flags, &b->v[b->n].fate, halt, e);
		if (rc == 1) {
			put_back(feed, &raw);
			rc = 0;
			break;
		}
		log_debug("mail %s: %s", raw.id, fates[b->v[b->n].fate]);
		most = apart ? 1 : most;
		memcpy(b->v[b->n].id, raw.id, sizeof raw.id);
		quarantined |= b->v[b->n].fate == MAIL_QUARANTINED;
		b->n++;
		mail_raw_release(&raw);
	}
	if (rc == 0)
		rc = end_batch(site, b, flags, quarantined, e);
	return store_end(site->store, rc, e);
}

/* Fetches the first mail.  If the source answers, mail can be read, and an outage is
 * over: its time is given back now, before a mail can claim a win on time.  pbm talk
 * has no such source, so it shows nothing. */
static void begin_feed(struct site *site, struct feed *feed, unsigned flags, struct err *halt)
{
	struct err why = { 0 };

	if (flags & MAIL_IN_OPERATOR) {
		unfiltered_check(site, halt);
		return;
	}
	feed->got = next_mail(feed, &feed->first, halt);
	feed->waits = feed->got >= 0;
	if (feed->got == ERR_UNFILTERED)
		unfiltered_tell(site);
	if (feed->got == 1 && unfiltered_check(site, halt) < 0)
		return;
	if (feed->waits && outage_check(site, clock_now(), &why) < 0)
		err_set(halt, why.code, "%s", why.text);
}

/* All mails of the source. */
static int take_mails(struct site *site, struct mail_source *source, unsigned flags,
                      struct run_report *report, struct err *halt, struct err *e)
{
	struct batch b = { .v = mem_alloc((size_t)site->batch * sizeof *b.v) };
	struct crash_note note;
	struct feed feed = { .source = source };
	bool more = true;
	int rc = crash_note_open(site, &note, e);

	memset(&site->strangers, 0, sizeof site->strangers);
	site->desk = password_desk_open();
	if (rc == 0)
		begin_feed(site, &feed, flags, halt);
	while (rc == 0 && more && !halt->code) {
		rc = run_batch(&note, &feed, flags, &b, &more, halt, e);
		/* A mail that was not settled comes again; its seen mark makes that harmless. */
		if (rc == 0 && settle_batch(source, &b, report, halt) < 0)
			more = false;
		if (report->progress)
			report->progress(report);
		password_desk_work(site->desk);
	}
	crash_note_close(&note);
	mail_sandbox_stop(site->sandbox);
	password_desk_close(site->desk);
	site->desk = NULL;
	if (feed.waits)
		mail_raw_release(&feed.first);
	report->unfetched += feed.unfetched;
	free(b.v);
	return rc;
}

/* An unread mail may hold the move, so no time may end before all mails are read (for
 * some days: see unread.h).  Only
 * the run that reads the mailbox knows that, and only for mails that had come when it
 * began to read. */
static bool look_after_clocks(struct site *site, unsigned flags, int64_t start,
                              struct run_report *report, struct err *halt)
{
	struct err why = { 0 };

	if (flags & (MAIL_IN_PIPE | MAIL_IN_OPERATOR))
		return true;
	if (halt->code)
		return false;
	int rc = unread_check(site, start, report->retried + report->unfetched, &why);
	if (rc == 1)
		log_info(
			"some mails were left unread: no player is reminded and no game is ended in this run");
	else if (rc == 0)
		rc = deadlines_run(site, start, &report->clocks, &why);
	if (rc < 0)
		err_set(halt, why.code, "%s", why.text);
	return rc == 0;
}

/* Digests and watchers can wait: their trouble stops nothing else.  Both tell of boards, so the
 * mails that may change these come first: after a halt the next run tells. */
static int tell_readers(struct site *site, unsigned flags, int64_t now, struct err *halt,
                        struct err *e)
{
	struct err why = { 0 };
	int rc;

	if (halt->code)
		return 0;
	rc = suspensions_run(site, now, &why);
	if (rc == 0)
		rc = tournaments_run(site, now, &why);
	if (rc == 0)
		rc = digests_run(site, now, &why);
	if (rc == 0)
		rc = spectate_run(site, now, &why);
	if (rc == 0 && !(flags & MAIL_IN_PIPE)) /* an MTA waits */
		rc = club_run(site, now, &why);
	if (rc < 0)
		err_set(halt, why.code, "%s", why.text);
	return why.code == ERR_UNCERTAIN ? err_set(e, why.code, "%s", why.text) : 0;
}

/* What moderators did to results reaches the ratings behind the mails; if that fails, the old
 * ones stand until a later run. */
static int rate_again(struct site *site, unsigned flags, struct err *halt, struct err *e)
{
	struct err why = { 0 };

	if (rating_again_run(site->store, flags & MAIL_IN_PIPE, &why) < 0) {
		log_error("ratings can't be computed again: %s", why.text);
		err_set(halt, why.code, "%s", why.text);
	}
	return why.code == ERR_UNCERTAIN ? err_set(e, why.code, "%s", why.text) : 0;
}

static bool may_take_mails(struct site *site, struct err *e)
{
	return clock_check(site, e) == 0 && disk_space_check(site, e) == 0;
}

/* What has to be done at its time, when the mails are read. */
static int do_what_is_due(struct site *site, struct mail_source *source, unsigned flags,
                          int64_t start, struct run_report *report, struct err *halt, struct err *e)
{
	if (!(flags & (MAIL_IN_PIPE | MAIL_IN_OPERATOR)))
		filed_bound(site, source, report->quarantined > 0);
	/* A digest tells of clocks, too. */
	return look_after_clocks(site, flags, start, report, halt)
	               ? tell_readers(site, flags, start, halt, e)
	               : 0;
}

/* A player may follow the link in a mail as soon as it comes, so the live pages come first.
 * Their trouble stops no mail. */
static int write_live_pages(struct site *site, struct err *halt, struct err *e)
{
	struct err why = { 0 };

	if (publish_live(site, &why) < 0)
		err_set(halt, why.code, "%s", why.text);
	return why.code == ERR_UNCERTAIN ? err_set(e, why.code, "%s", why.text) : 0;
}

/* What follows from the mails and can wait until all of them are read. */
static int follow_up(struct site *site, struct mail_source *source, unsigned flags, int64_t start,
                     struct run_report *report, struct err *halt, struct err *e)
{
	int rc = do_what_is_due(site, source, flags, start, report, halt, e);

	if (rc == 0)
		rc = rate_again(site, flags, halt, e);
	return rc == 0 ? write_live_pages(site, halt, e) : rc;
}

static int end_run(struct site *site, unsigned flags, int64_t start, int64_t began,
                   struct run_report *report, struct err *e)
{
	int rc = publish_games(site, &report->published, e);

	if (rc < 0 || (flags & MAIL_IN_OPERATOR))
		return rc;
	return run_numbers_note(site->store, report, start, clock_ms() - began, e);
}

int run_once(struct site *site, struct mail_source *source, struct mail_sink *sink, unsigned flags,
             struct run_report *report, struct err *e)
{
	struct err halt = { 0 };
	bool room = may_take_mails(site, &halt);
	int64_t start = clock_now(), began = clock_ms();

	site->started = start;
	site->rating_run = 0;
	int rc = room ? take_mails(site, source, flags, report, &halt, e) : 0;

	if (rc == 0 && room)
		rc = follow_up(site, source, flags, start, report, &halt, e);

	/* The time limit of pbm deliver may cut this run after a mail server has taken a
	 * mail; the next run would send it a second time. */
	report->unsent = (flags & MAIL_IN_PIPE) && !sink->ops->repeatable;
	if (rc == 0 && !report->unsent)
		rc = outbox_flush(site, sink,
		                  flags && site->send_seconds > SHORT_SENDING ? SHORT_SENDING
		                                                              : site->send_seconds,
		                  report, e);
	if (rc == 0 && room)
		rc = end_run(site, flags, start, began, report, e);
	return rc == 0 && halt.code ? err_set(e, halt.code, "%s", halt.text) : rc;
}
