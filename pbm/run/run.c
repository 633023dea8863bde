#include "pbm/run/run.h"

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/outbox/outbox.h"
#include "pbm/rating/rating_again.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/disk_space.h"
#include "pbm/run/due/deadlines.h"
#include "pbm/run/due/digests.h"
#include "pbm/run/due/spectate.h"
#include "pbm/run/due/staff_mails.h"
#include "pbm/run/due/suspensions.h"
#include "pbm/run/due/tournaments.h"
#include "pbm/run/filed_limits.h"
#include "pbm/run/intake.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/publish.h"
#include "pbm/run/run_numbers.h"
#include "pbm/run/unread_mails.h"

/* An unread mail may hold the move, so no time may end before all mails are read (for some days:
 * see unread_mails.h).  Only a run that reads the mailbox knows that, and only for mails that had come
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

	site->started = start;
	site->rating_run = 0;
	int rc = room ? intake_run(site, source, flags, report, &halt, e) : 0;

	if (rc == 0 && room)
		rc = follow_up(site, source, flags, start, report, &halt, e);

	/* pbm deliver's time limit may cut this run after a mail server has taken a mail, and
	 * the next run would send it a second time. */
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
