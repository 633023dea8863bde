#include "pbm/run/outbox_beside.h"

#include "pbm/base/log.h"
#include "pbm/run/outbox_pause.h"
#include "store/store_sending.h"

#define LEAST 64 /* mails for which a thread is worth while */

void outbox_beside_open(struct outbox_beside *b, struct site *site, struct mail_sink *sink,
                        struct run_report *report)
{
	*b = (struct outbox_beside){
		.site = site, .sink = sink, .report = report, .possible = sink->ops->begin != NULL
	};
}

/* Waits for what was begun.  1: it is sent. */
static int finish(struct outbox_beside *b)
{
	struct err why = { 0 };

	if (!b->begun)
		return 0;
	b->begun = false;
	if (b->sink->ops->finish(b->sink->self, &why) == 0)
		return 1;
	log_warn("mails can't be sent beside the work: %s", why.text);
	b->possible = false;
	return 0;
}

int outbox_beside_turn(struct outbox_beside *b, struct err *e)
{
	const struct err fine = { 0 };
	struct outbox_window *w = &b->window;
	int rc = 0;

	if (finish(b))
		rc = outbox_window_note(w, b->site, &fine, b->report, e);
	if (rc == 0 && b->possible)
		rc = outbox_pause_lasts(b->site, e);
	b->possible = b->possible && rc == 0;
	if (rc < 0 || !b->possible)
		return rc < 0 ? rc : 0;
	size_t most = b->sink->ops->window, left = outbox_window_left(b->site, b->report);

	if (!w->v)
		outbox_window_init(w, most);
	rc = outbox_window_fill(w, b->site, most < left ? most : left, e);
	b->ready = rc == 0 && w->n >= LEAST;
	return rc;
}

int outbox_beside_send(struct outbox_beside *b, struct err *e)
{
	struct outbox_window *w = &b->window;
	struct err why = { 0 };

	if (!b->ready)
		return 0;
	b->ready = false;
	int rc = store_sending_begin(b->site->store, e);

	b->begun = rc > 0 && b->sink->ops->begin(b->sink->self, w->v, w->n, &why) == 0;
	b->possible = b->begun;
	return rc < 0 ? rc : 0;
}

int outbox_beside_close(struct outbox_beside *b, struct err *e)
{
	const struct err fine = { 0 };
	int rc = finish(b) ? outbox_window_record(&b->window, b->site, &fine, true, b->report, e)
	                   : 0;

	outbox_window_release(&b->window);
	return rc;
}
