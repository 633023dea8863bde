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
	int64_t at;   /* when they were due */
	bool claimed; /* the mails are this worker's, and their attempts are counted already */
};

/* Room for so many mails. */
void outbox_window_init(struct outbox_window *w, size_t most);
void outbox_window_release(struct outbox_window *w);

/* The number of mails that mails-per-run still allows in this run. */
size_t outbox_window_left(const struct site *site, const struct run_report *r);

/* Fills the window anew with at most so many mails that are due now. */
int outbox_window_fill(struct outbox_window *w, struct site *site, size_t most, struct err *e);
/* The same, and claims them, in a transaction of its own: for a sink that would deliver a second
 * copy.  The attempts are counted before they are made; otherwise a store that can't be written
 * would send the same mails in every run. */
int outbox_window_claim(struct outbox_window *w, struct site *site, size_t most, struct err *e);

/* Notes the results of the mails, and of the sink (trouble), in a transaction of its own.
 * repeatable: the sink recognises a second copy, so a power cut may take the note away without
 * harm. */
int outbox_window_record(const struct outbox_window *w, struct site *site,
                         const struct err *trouble, bool repeatable, struct run_report *r,
                         struct err *e);
