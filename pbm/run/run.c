#include "pbm/run/run.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "pbm/archive/archive.h"
#include "pbm/archive/live/live.h"
#include "pbm/archive/place/in_hand.h"
#include "pbm/base/clock.h"
#include "pbm/base/err.h"
#include "pbm/base/libexec.h"
#include "pbm/base/log.h"
#include "pbm/base/stop.h"
#include "pbm/outbox/operator.h"
#include "pbm/outbox/outbox.h"
#include "pbm/rating/rating_again.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/crash_note.h"
#include "pbm/run/due/deadlines.h"
#include "pbm/run/due/due.h"
#include "pbm/run/due/spectate.h"
#include "pbm/run/due/staff_mails.h"
#include "pbm/run/fetch.h"
#include "pbm/run/filed_limits.h"
#include "pbm/run/inbox.h"
#include "pbm/run/intake.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/outage.h"
#include "pbm/run/run_numbers.h"
#include "pbm/run/worker.h"
#include "store/shared/store_inbox.h"
#include "store/store_marks.h"

struct this_run {
	struct site *site;
	struct mail_source *source;
	struct mail_sink *sink;
	unsigned flags; /* enum mail_in_flags */
	int64_t start;
	bool stands_by; /* a machine nearer to the store works on its mails and follows up */
	struct run_report *report;
	struct err
		halt; /* a trouble for which the next steps must wait, but which undoes nothing */
};

/* A game whose clock made the program fail must not stop the clocks of all others, run after run.
 * It is named as a mail is, with the version: another one may have the mend. */
static int begin_clock(void *arg, int64_t board, struct err *e)
{
	enum crash_advice advice;
	int64_t killed;
	char text[60];
	int n = snprintf(text, sizeof text, "clock %" PRId64 " " LIBEXEC_VERSION, board);
	struct mail_raw raw = { .bytes = text, .len = (size_t)n };

	int rc = crash_note_advise(arg, &raw, &advice, &killed, e);
	if (rc == 0 && advice >= CRASH_TELL)
		return 1;
	return rc == 0 ? crash_note_begin(arg, &raw, advice, killed, false, e) : rc;
}

static int end_clock(void *arg, struct err *e)
{
	return crash_note_end(arg, e);
}

static int run_clocks(struct site *site, int64_t until, struct run_report *report, struct err *e)
{
	struct crash_note note;
	const struct deadlines_guard guard = { &note, begin_clock, end_clock };
	int rc = crash_note_open(site, &note, e);

	if (rc == 0)
		rc = deadlines_run(site, until, &guard, &report->clocks, e);
	crash_note_close(&note);
	return rc;
}

/* An unread mail may hold the move, so no time may end before all mails are read (for some days:
 * see fetch_unread()).  Only a run that reads the mailbox knows that, and only for mails that had come
 * before it began.  Where several machines take mails in, *until goes back to the time that all of them
 * know. */
static bool look_after_clocks(struct this_run *r, int64_t *until)
{
	struct err why = { 0 };

	if (r->flags & (MAIL_IN_PIPE | MAIL_IN_OPERATOR))
		return true;
	if (r->halt.code)
		return false;
	int rc = store_is_shared(r->site->store)
	                 ? fetch_known_until(r->site, *until, until, &why)
	                 : fetch_unread(r->site, "", *until,
	                                r->report->retried + r->report->unfetched, &why);
	if (rc == 1)
		log_info(
			"some mails were left unread: no player is reminded and no game is ended in this run");
	else if (rc == 0)
		rc = run_clocks(r->site, *until, r->report, &why);
	if (rc < 0)
		err_set(&r->halt, why.code, "%s", why.text);
	return rc == 0;
}

/* Notes a trouble of rc; only a store that may not be used any more is an error. */
static int halt(struct this_run *r, int rc, const struct err *why, struct err *e)
{
	if (rc < 0)
		err_set(&r->halt, why->code, "%s", why->text);
	return why->code == ERR_UNCERTAIN ? err_set(e, why->code, "%s", why->text) : 0;
}

/* Digests and watchers' mails can wait: their trouble stops nothing else.  Both tell of boards,
 * which unread mails may change: after a halt the next run sends them. */
static int tell_readers(struct this_run *r, int64_t now, struct err *e)
{
	struct err why = { 0 };

	if (r->halt.code)
		return 0;
	int rc = due_run(r->site, now, &why);
	if (rc == 0)
		rc = spectate_run(r->site, now, &why);
	if (rc == 0 && !(r->flags & MAIL_IN_PIPE)) /* an MTA waits */
		rc = staff_mails_run(r->site, now, &why);
	return halt(r, rc, &why, e);
}

/* Results changed by moderators reach the ratings after the mails; if that fails, the old ones
 * stand until a later run. */
static int rate_again(struct this_run *r, struct err *e)
{
	struct err why = { 0 };
	int rc = rating_again_run(r->site->store, r->flags & MAIL_IN_PIPE, &why);

	if (rc < 0)
		log_error("ratings can't be computed again: %s", why.text);
	return halt(r, rc, &why, e);
}

/* A run takes mails that machines share for so long at most: clocks and pages wait for it. */
#define INBOX_MS 60000

#define MIB (1024 * 1024)
#define FILES_A_MIB 64 /* inodes wanted for each MiB: games and pages are small files */

static void tell_of_disk(struct site *site, const char *what)
{
	struct err e = { 0 };
	char text[700];

	snprintf(text, sizeof text,
	         "%s.  The mails wait at their source, and the next run after there "
	         "is room again takes them.",
	         what);
	if (operator_tell_now(site, "disk", "the disk is nearly full", text, &e) < 0)
		log_error("the operator can't be told that the disk is nearly full: %s", e.text);
}

/* 0 when the site's disk has disk-reserve MiB and enough inodes left; else ERR_TEMP with a
 * sentence, and the operator is told if there is space for that.  The mails wait at their source
 * then, and the space left is for sending the outbox.  The store is open for writing. */
static int disk_space_check(struct site *site, struct err *e)
{
	struct statvfs fs;
	char what[400];

	if (statvfs(site->dir, &fs) < 0)
		return err_sys(e, "statvfs %s", site->dir);
	uint64_t mib = (uint64_t)fs.f_bavail * fs.f_frsize / MIB,
		 wanted = (uint64_t)site->conf.disk_reserve;

	if (mib < wanted)
		snprintf(what, sizeof what,
		         "No mail is taken: the disk has %" PRIu64 " MiB left, and disk-reserve "
		         "wants %" PRIu64,
		         mib, wanted);
	else if (fs.f_files && (uint64_t)fs.f_favail < wanted * FILES_A_MIB) /* 0: no inode count */
		snprintf(what, sizeof what,
		         "No mail is taken: the disk has names for %" PRIu64 " files left, and "
		         "disk-reserve wants %" PRIu64,
		         (uint64_t)fs.f_favail, wanted * FILES_A_MIB);
	else
		return 0;
	log_error("%s", what);
	tell_of_disk(site, what);
	return err_set(e, ERR_TEMP, "%s", what);
}

static bool may_take_mails(struct site *site, struct err *e)
{
	return clock_check(site, e) == 0 && disk_space_check(site, e) == 0;
}

/* Does the work that is due at a time, when the mails are read. */
static int do_what_is_due(struct this_run *r, struct err *e)
{
	if (!(r->flags & (MAIL_IN_PIPE | MAIL_IN_OPERATOR)))
		filed_limits_bound(r->site, r->source, r->report->quarantined > 0,
		                   r->halt.code != 0);
	/* A digest tells of clocks, too. */
	int64_t until = r->start;
	return look_after_clocks(r, &until) ? tell_readers(r, until, e) : 0;
}

#define WEEK (7 * INT64_C(86400))

/* Tells the operator the second time in a week; the next run may mend the first. */
static void tell_of_pages(struct site *site, const struct archive_report *r)
{
	struct err e = { 0 };
	char text[700];
	int64_t count = 0;

	snprintf(text, sizeof text,
	         "%zu pages of the web archive could not be written; all others were.  The next "
	         "run tries again.  The first of them: %s",
	         r->failed, r->first);
	int rc = store_begin(site->store, &e);
	if (rc == 0)
		rc = store_rate(site->store, "operator's archive", clock_now(), WEEK, &count, &e);
	if (rc == 0 && count > 1)
		rc = operator_tell(site, "archive", "a page of the archive is not written", text,
		                   &e);
	if (store_end(site->store, rc, &e) < 0)
		log_error("the operator can't be told of the archive: %s", e.text);
}

/* 1: this machine may write pages.  Of those that share a store one does at a time: two would write the
 * same page, and the one that had read older documents perhaps last. */
static int may_publish(struct site *site, struct err *e)
{
	int rc = in_hand_again(site, e);

	return rc == 0 ? store_is_shared(site->store) ? store_role(site->store, "publish", e) : 1
	               : rc;
}

/* archive_publish(); *games is the number of games published.  Pages that could not be
 * written are no error: the next run tries again, and if it fails too, the operator is told. */
static int publish_games(struct site *site, size_t *games, struct err *e)
{
	struct archive_report r = { 0 };
	int rc = may_publish(site, e);

	if (rc <= 0)
		return rc;
	rc = archive_publish(site, &r, e);
	*games = r.games;
	if (rc == 0 && r.failed)
		tell_of_pages(site, &r);
	return rc;
}

/* live_publish(), in the same way. */
static int publish_live_pages(struct this_run *r, struct err *e)
{
	struct archive_report pages = { 0 };
	struct err why = { 0 };
	int rc = may_publish(r->site, &why);

	if (rc > 0)
		rc = live_publish(r->site, &pages, &why);
	if (rc == 0 && pages.failed)
		tell_of_pages(r->site, &pages);
	return halt(r, rc, &why, e);
}

/* Does what follows from the mails and can wait until all of them are read. */
static int follow_up(struct this_run *r, struct err *e)
{
	int rc = do_what_is_due(r, e);

	if (rc == 0)
		rc = rate_again(r, e);
	return rc == 0 ? publish_live_pages(r, e) : rc;
}

static int end_run(struct this_run *r, int64_t began, struct err *e)
{
	int rc = publish_games(r->site, &r->report->published, e);

	if (rc < 0 || (r->flags & MAIL_IN_OPERATOR))
		return rc;
	return run_numbers_note(r->site->store, r->report, r->start, clock_ms() - began, e);
}

static int take_from(struct this_run *r, struct mail_source *source, struct err *e)
{
	return intake_run(r->site, source, r->flags, r->report, &r->halt, e);
}

static int send_mails(struct this_run *r, struct err *e)
{
	long seconds = r->site->conf.send_seconds;

	return outbox_flush(r->site, r->sink,
	                    r->flags && seconds > SHORT_SENDING ? SHORT_SENDING : seconds,
	                    r->report, e);
}

/* Works on the mails that wait in the store, and sends after each round, so that another machine works
 * meanwhile.  If no mail could be read for a long time, the clocks get that time back before. */
static int take_inbox(struct this_run *r, struct err *e)
{
	struct mail_source inbox;
	int64_t end = clock_ms() + INBOX_MS;
	int rc = outage_is_open(r->site, clock_now(), e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	inbox_open(r->site, &inbox);
	rc = take_from(r, &inbox, e);
	while (rc == 0 && !r->halt.code && inbox_next_round(&inbox) &&
	       (clock_ms() < end || !store_is_shared(r->site->store))) {
		rc = send_mails(r, e);
		if (rc == 0)
			rc = take_from(r, &inbox, e);
	}
	inbox.ops->close(inbox.self);
	return rc;
}

/* Machines that share a store: each of them works on the mails of all sources.  Any other
 * store has mails in its inbox only if they came with it from there. */
static int take_mails(struct this_run *r, struct err *e)
{
	struct err source_fails = { 0 };
	int64_t waiting = 0, oldest;
	int rc = 0;

	if (r->flags)
		return take_from(r, r->source, e);
	if (store_is_shared(r->site->store)) {
		rc = fetch_run(r->site, r->source, r->report, &source_fails, e);
		if (rc == 0 && !r->stands_by)
			rc = take_inbox(r, e);
		if (source_fails.code && !r->halt.code)
			err_set(&r->halt, source_fails.code, "%s", source_fails.text);
		return rc;
	}
	rc = store_inbox_size(r->site->store, INT64_MIN, &waiting, &oldest, e);
	if (rc == 0 && waiting)
		rc = take_inbox(r, e);
	return rc == 0 && !r->halt.code ? take_from(r, r->source, e) : rc;
}

/* The work of a run before it sends. */
static int work(struct this_run *r, struct err *e)
{
	int rc = store_is_shared(r->site->store) && !r->flags
	                 ? worker_note(r->site, &r->stands_by, e)
	                 : 0;

	if (rc == 0)
		rc = take_mails(r, e);
	return rc == 0 && !r->stands_by ? follow_up(r, e) : rc;
}

int run_once(struct site *site, struct mail_source *source, struct mail_sink *sink, unsigned flags,
             struct run_report *report, struct err *e)
{
	struct this_run r = { site, source, sink, flags, .report = report };
	bool room = may_take_mails(site, &r.halt);
	int64_t began = clock_ms();

	r.start = clock_now(); /* may_take_mails() decides whether the machine's clock counts */
	site->run.started = r.start;
	memset(&site->run.strangers, 0, sizeof site->run.strangers);
	site->run.rated = 0;
	int rc = room ? work(&r, e) : 0;

	/* pbm deliver's time limit may cut this run after a mail server has taken a mail, and
	 * the next run would send it a second time. */
	report->unsent = (flags & MAIL_IN_PIPE) && !sink->ops->repeatable;
	if (rc == 0 && !report->unsent)
		rc = send_mails(&r, e);
	if (rc == 0 && room && !r.stands_by && !stop_is_wanted())
		rc = end_run(&r, began, e);
	archive_leave(site);
	return rc == 0 && r.halt.code ? err_set(e, r.halt.code, "%s", r.halt.text) : rc;
}
