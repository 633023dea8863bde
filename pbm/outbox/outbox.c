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

struct sending {
	struct site *site;
	struct mail_sink *sink;
	struct outbox_window w;
	struct err trouble; /* of the sink, with the window */
	size_t left;        /* mails that this run may send */
	int64_t end;
	struct run_report *r;
};

/* Sends the window while other processes may write to the store.  A repeatable sink is
 * a folder on this machine and quick: there the store is kept. */
static int send_released(struct sending *x, struct err *e)
{
	bool quick = x->sink->ops->repeatable;
	int rc = quick ? 0 : store_yield(x->site->store, e);

	if (rc < 0)
		return rc;
	x->trouble = (struct err){ 0 };
	int sent = x->sink->ops->send(x->sink->self, x->w.v, x->w.n, &x->trouble);
	x->r->stopped = sent > 0;
	rc = quick ? 0 : site_resume_store(x->site, e);
	if (rc == 0 && sent < 0)
		return err_set(e, (enum err_code)sent, "%s", x->trouble.text);
	return rc;
}

/* Notes what became of the window, and fills it with at most so many mails, if this process is the one
 * that sends. */
static int next_window(struct sending *x, size_t most, struct err *e)
{
	bool begun = x->w.n > 0;
	int mine = most ? store_sending_begin(x->site->store, e) : 0, rc = 0;

	x->r->elsewhere = most && mine == 0;
	if (begun || mine > 0)
		rc = outbox_window_next(&x->w, x->site, &x->trouble, mine > 0 ? most : 0, x->r,
		                        mine < 0 ? NULL : e);
	if (begun && x->r->progress)
		x->r->progress(x->r);
	return mine < 0 ? mine : rc;
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

/* Says why mails that are due were not sent. */
static int tell_rest(const struct sending *x, struct err *e)
{
	int rc = store_outbox_is_due(x->site->store, clock_now(), e);

	if (rc == 1 && x->left == 0)
		return tell_limit(x->site, e);
	if (rc == 1)
		log_info("the time for sending is over; the other mails wait for the next run");
	return rc < 0 ? rc : 0;
}

/* 0: the time, the limit or the run is over, or the sink failed. */
static size_t next_size(const struct sending *x)
{
	size_t window = x->sink->ops->window;

	if (x->r->stopped || clock_ms() >= x->end || stop_is_wanted())
		return 0;
	return x->left < window ? x->left : window;
}

/* Sends window after window.  While one is sent, another process may leave its mails to this one, so each
 * is read anew, until one is empty. */
static int send_all(struct sending *x, struct err *e)
{
	size_t most = 0;
	int rc = store_outbox_is_due(x->site->store, clock_now(), e);

	if (rc <= 0)
		return rc;
	x->r->stopped = false;
	do {
		most = next_size(x);
		rc = next_window(x, most, e);
		x->left -= x->w.n;
		if (rc == 0 && x->w.n)
			rc = send_released(x, e);
	} while (rc == 0 && x->w.n);
	return rc < 0 || most || x->r->stopped ? rc : tell_rest(x, e);
}

int outbox_flush(struct site *site, struct mail_sink *sink, long seconds, struct run_report *report,
                 struct err *e)
{
	struct sending x = { site, sink, .left = outbox_window_left(site, report),
		             .end = clock_ms() + seconds * 1000, .r = report };
	int rc = outbox_pause_lasts(site, e);

	if (rc)
		return rc < 0 ? rc : 0;
	/* The other machines of a shared store have sinks of their own. */
	outbox_window_init(&x.w, sink->ops->window, sink->ops->repeatable,
	                   !sink->ops->repeatable || store_is_shared(site->store));
	rc = send_all(&x, e);
	store_sending_end(site->store);
	if (report->elsewhere)
		log_info("another process is sending; it also sends the mails of this run");
	outbox_window_release(&x.w);
	/* The keys may have changed while the store was released. */
	return rc == 0 ? secret_read(site, e) : rc;
}
