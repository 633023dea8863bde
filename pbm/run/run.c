#include "pbm/run/run.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/statvfs.h>

#include "pbm/archive/archive.h"
#include "pbm/archive/live/live.h"
#include "pbm/base/clock.h"
#include "pbm/base/err.h"
#include "pbm/base/log.h"
#include "pbm/outbox/operator.h"
#include "pbm/outbox/outbox.h"
#include "pbm/rating/rating_again.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/due/deadlines.h"
#include "pbm/run/due/digests.h"
#include "pbm/run/due/spectate.h"
#include "pbm/run/due/staff_mails.h"
#include "pbm/run/due/suspensions.h"
#include "pbm/run/due/tournaments.h"
#include "pbm/run/filed_limits.h"
#include "pbm/run/intake.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/run_numbers.h"
#include "store/store_marks.h"

/* Mails that a run had to leave at the source: the machine failed on them, or the mail server
 * doesn't give them out.  Such a mail may hold a player's move, so the clocks wait for it, but
 * not without end: anybody can send such mails. */
#define UNREAD_SECONDS (3 * INT64_C(86400)) /* the longest time that the clocks wait */

/* The time of the first of the runs in a row that left mails unread; kept by reindex and backup. */
#define UNREAD_SINCE "clock-unread-since"

static int set_since(struct site *site, int64_t since, struct err *e)
{
	int rc = store_begin(site->store, e);

	store_value_set(site->store, UNREAD_SINCE, since, e);
	return store_end(site->store, rc, e);
}

static int tell_of_unread(struct site *site, size_t left, struct err *e)
{
	char text[500];

	snprintf(
		text, sizeof text,
		"Each run for %d days has left mails unread: %zu in this run.  Reminders and deadlines waited for them and go on now, so a player whose move is among these mails may lose on time.  The log says why they can't be read.",
		(int)(UNREAD_SECONDS / 86400), left);
	log_warn("%s", text);
	return operator_tell_now(site, "unread", "mails can't be read", text, e);
}

/* Notes that the run which began at now left so many mails unread; 0 ends the waiting.  1: the
 * clocks wait; 0: they go on, and if they waited too long the operator is told.  Writes only
 * changes. */
static int unread_mails_check(struct site *site, int64_t now, size_t left, struct err *e)
{
	int64_t since = 0;
	int rc = store_value(site->store, UNREAD_SINCE, &since, e);

	if (rc < 0 || (left == 0 && since == 0))
		return rc;
	if (left == 0)
		return set_since(site, 0, e);
	if (since == 0 || since > now) { /* later than now: a clock was wrong */
		rc = set_since(site, now, e);
		return rc < 0 ? rc : 1;
	}
	if (now - since < UNREAD_SECONDS)
		return 1;
	return tell_of_unread(site, left, e);
}

/* An unread mail may hold the move, so no time may end before all mails are read (for some days:
 * see UNREAD_SECONDS).  Only a run that reads the mailbox knows that, and only for mails that had come
 * before it began. */
static bool look_after_clocks(struct site *site, unsigned flags, int64_t start,
                              struct run_report *report, struct err *halt)
{
	struct err why = { 0 };

	if (flags & (MAIL_IN_PIPE | MAIL_IN_OPERATOR))
		return true;
	if (halt->code)
		return false;
	int rc = unread_mails_check(site, start, report->retried + report->unfetched, &why);
	if (rc == 1)
		log_info(
			"some mails were left unread: no player is reminded and no game is ended in this run");
	else if (rc == 0)
		rc = deadlines_run(site, start, &report->clocks, &why);
	if (rc < 0)
		err_set(halt, why.code, "%s", why.text);
	return rc == 0;
}

/* Digests and watchers' mails can wait: their trouble stops nothing else.  Both tell of boards,
 * which unread mails may change: after a halt the next run sends them. */
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
		rc = staff_mails_run(site, now, &why);
	if (rc < 0)
		err_set(halt, why.code, "%s", why.text);
	return why.code == ERR_UNCERTAIN ? err_set(e, why.code, "%s", why.text) : 0;
}

/* Results changed by moderators reach the ratings after the mails; if that fails, the old ones
 * stand until a later run. */
static int rate_again(struct site *site, unsigned flags, struct err *halt, struct err *e)
{
	struct err why = { 0 };

	if (rating_again_run(site->store, flags & MAIL_IN_PIPE, &why) < 0) {
		log_error("ratings can't be computed again: %s", why.text);
		err_set(halt, why.code, "%s", why.text);
	}
	return why.code == ERR_UNCERTAIN ? err_set(e, why.code, "%s", why.text) : 0;
}

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
static int do_what_is_due(struct site *site, struct mail_source *source, unsigned flags,
                          int64_t start, struct run_report *report, struct err *halt, struct err *e)
{
	if (!(flags & (MAIL_IN_PIPE | MAIL_IN_OPERATOR)))
		filed_limits_bound(site, source, report->quarantined > 0, halt->code != 0);
	/* A digest tells of clocks, too. */
	return look_after_clocks(site, flags, start, report, halt)
	               ? tell_readers(site, flags, start, halt, e)
	               : 0;
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

/* archive_publish(); *games is the number of games published.  Pages that could not be
 * written are no error: the next run tries again, and if it fails too, the operator is told. */
static int publish_games(struct site *site, size_t *games, struct err *e)
{
	struct archive_report r = { 0 };
	int rc = archive_publish(site, &r, e);

	*games = r.games;
	if (rc == 0 && r.failed)
		tell_of_pages(site, &r);
	return rc;
}

/* live_publish(), in the same way.  Trouble goes to *halt and stops nothing else; only a store
 * that may not be used any more is an error. */
static int publish_live_pages(struct site *site, struct err *halt, struct err *e)
{
	struct archive_report r = { 0 };
	struct err why = { 0 };
	int rc = live_publish(site, &r, &why);

	if (rc == 0 && r.failed)
		tell_of_pages(site, &r);
	if (rc < 0)
		err_set(halt, why.code, "%s", why.text);
	return why.code == ERR_UNCERTAIN ? err_set(e, why.code, "%s", why.text) : 0;
}

/* Does what follows from the mails and can wait until all of them are read. */
static int follow_up(struct site *site, struct mail_source *source, unsigned flags, int64_t start,
                     struct run_report *report, struct err *halt, struct err *e)
{
	int rc = do_what_is_due(site, source, flags, start, report, halt, e);

	if (rc == 0)
		rc = rate_again(site, flags, halt, e);
	return rc == 0 ? publish_live_pages(site, halt, e) : rc;
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

	site->run.started = start;
	site->run.rated = 0;
	int rc = room ? intake_run(site, source, flags, report, &halt, e) : 0;

	if (rc == 0 && room)
		rc = follow_up(site, source, flags, start, report, &halt, e);

	/* pbm deliver's time limit may cut this run after a mail server has taken a mail, and
	 * the next run would send it a second time. */
	report->unsent = (flags & MAIL_IN_PIPE) && !sink->ops->repeatable;
	if (rc == 0 && !report->unsent)
		rc = outbox_flush(site, sink,
		                  flags && site->conf.send_seconds > SHORT_SENDING
		                          ? SHORT_SENDING
		                          : site->conf.send_seconds,
		                  report, e);
	if (rc == 0 && room)
		rc = end_run(site, flags, start, began, report, e);
	return rc == 0 && halt.code ? err_set(e, halt.code, "%s", halt.text) : rc;
}
