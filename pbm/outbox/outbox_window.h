/* A window: mails that are given to the sink together, and their results. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/outbox/run_report.h"
#include "pbm/site/site.h"

/* The strings live in the arena. */
struct outbox_window {
	struct arena arena;
	size_t n;
	struct mail_sending *v;
	struct {
		int64_t id, created;
		const char *message_id;
		int attempts;
	} * rows;
	bool repeatable; /* the sink recognises a second copy: a power cut may take a note away */
	bool claims;     /* another machine may send, to a sink that does not know the copies */
};

/* An empty one with room for so many mails. */
void outbox_window_init(struct outbox_window *w, size_t most, bool repeatable, bool claims);
void outbox_window_release(struct outbox_window *w);

/* The number of mails that mails-per-run still allows in this run. */
size_t outbox_window_left(const struct site *site, const struct run_report *r);

/* Notes the results of the mails, and of the sink (trouble), and fills the window anew with at most so
 * many mails that are due now, in one transaction: all machines wait for each. */
int outbox_window_next(struct outbox_window *w, struct site *site, const struct err *trouble,
                       size_t most, struct run_report *r, struct err *e);
