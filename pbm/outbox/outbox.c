/* Mails out: a mail goes from the outbox to the sink, is made durable there, and only
 * then is removed from the outbox.
 *
 * There are two kinds of trouble.  A single mail may fail (unknown recipient, full mailbox): it
 * waits longer after each attempt, or is given up; the others are sent.  The sink may fail (the
 * server is down, or refuses our password): nothing more is sent in this run, mails that were
 * not tried lose no attempt, and the next runs pause, so that a run a minute does not try a
 * wrong password a thousand times.
 *
 * A window is the mails given to the sink at once.  While a window is being sent the
 * store is released: other processes may add, change or remove mails, but only this one
 * of the machine sends.  If the run ends there, the next run sends this window again: with a
 * repeatable sink that makes no second copy.  For other sinks the window is claimed: another
 * machine sends it only when the claim has ended, and none of its mails is begun after that.
 * The result is noted by Message-ID and recipient, because the row's id may
 * belong to another mail by then. */
#include "pbm/outbox/outbox.h"

#include <stdio.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/stop.h"
#include "pbm/outbox/operator.h"
#include "pbm/outbox/outbox_pause.h"
#include "pbm/outbox/outbox_window.h"
#include "pbm/site/secret.h"
#include "store/store_outbox.h"
#include "store/store_sending.h"

/* Sends the window while other processes may write to the store.  A repeatable sink is
 * a folder on this machine and quick: there the store is kept. */
static int send_released(struct site *site, struct mail_sink *sink, struct outbox_window *w,
                         struct err *trouble, struct err *e)
{
	bool quick = sink->ops->repeatable;
	int rc = quick ? 0 : store_yield(site->store, e);

	if (rc < 0)
		return rc;
	int sent = sink->ops->send(sink->self, w->v, w->n, trouble);
	rc = quick ? 0 : site_resume_store(site, e);
	if (rc == 0 && sent < 0)
		return err_set(e, (enum err_code)sent, "%s", trouble->text);
	return rc < 0 ? rc : sent;
}

/* Sends one window.  1: there may be more to send; 0: there is no more, or the sink failed. */
static int send_window(struct site *site, struct mail_sink *sink, struct outbox_window *w,
                       size_t most, struct run_report *r, struct err *e)
{
	struct err trouble = { 0 };
	int rc = store_outbox_is_due(site->store, clock_now(), e);

	if (rc <= 0)
		return rc;
	rc = store_sending_begin(site->store, e);
	r->elsewhere = rc == 0;
	if (rc <= 0)
		return rc;
	/* The other machines of a shared store have sinks of their own. */
	bool alone = sink->ops->repeatable && !store_is_shared(site->store);
	rc = (alone ? outbox_window_fill : outbox_window_claim)(w, site, most, e);
	if (rc == 0)
		rc = send_released(site, sink, w, &trouble, e);
	if (rc < 0)
		return rc;
	r->stopped = rc > 0;
	rc = outbox_window_record(w, site, &trouble, sink->ops->repeatable, r, e);
	if (r->progress)
		r->progress(r);
	/* Another process may have left its mails to this one: read the outbox again. */
	return rc < 0 ? rc : !r->stopped;
}

/* Tells the operator that mails-per-run is reached: a fault may be making mails without end. */
static int tell_limit(struct site *site, struct err *e)
{
	char text[400];

	log_warn("%ld mails were sent in this run; the others wait for the next run",
	         site->conf.mails_per_run);
	snprintf(text, sizeof text,
	         "More mails were to be sent in one run than mails-per-run allows (%ld).\n"
	         "The others wait for the next runs.  If so many are right, raise the setting\n"
	         "in pbm.conf; \"pbm outbox\" lists what waits.\n",
	         site->conf.mails_per_run);
	return operator_tell_now(site, "too many mails", "more mails than allowed in one run", text,
	                         e);
}

static int send_all(struct site *site, struct mail_sink *sink, long seconds,
                    struct outbox_window *w, struct run_report *r, struct err *e)
{
	size_t window = sink->ops->window, left = outbox_window_left(site, r);
	int64_t end = clock_ms() + seconds * 1000;
	int rc = 1;

	while (rc == 1 && left > 0 && clock_ms() < end && !stop_is_wanted()) {
		rc = send_window(site, sink, w, window < left ? window : left, r, e);
		left -= w->n < left ? w->n : left;
	}
	if (rc == 1 && left == 0) {
		rc = outbox_window_fill(w, site, 1, e);
		return rc == 0 && w->n ? tell_limit(site, e) : rc;
	}
	if (rc == 1)
		log_info("the time for sending is over; the other mails wait for the next run");
	return rc < 0 ? rc : 0;
}

int outbox_flush(struct site *site, struct mail_sink *sink, long seconds, struct run_report *report,
                 struct err *e)
{
	struct outbox_window w;
	int rc = outbox_pause_lasts(site, e);

	if (rc)
		return rc < 0 ? rc : 0;
	outbox_window_init(&w, sink->ops->window);
	rc = send_all(site, sink, seconds, &w, report, e);
	store_sending_end(site->store);
	if (report->elsewhere)
		log_info("another process is sending; it also sends the mails of this run");
	outbox_window_release(&w);
	/* The keys may have changed while the store was released. */
	return rc == 0 ? secret_read(site, e) : rc;
}
