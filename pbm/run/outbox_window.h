/* A window: the mails that are given to the sink at once, and what became of them. */
#ifndef PBM_RUN_OUTBOX_WINDOW_H
#define PBM_RUN_OUTBOX_WINDOW_H

#include "mail/transport/transport.h"
#include "pbm/run/run_report.h"
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
	bool noted; /* the attempts are counted in the store already */
};

/* Room for so many mails. */
void outbox_window_init(struct outbox_window *w, size_t most);
void outbox_window_release(struct outbox_window *w);

/* The number of mails that mails-per-run still allows in this run. */
size_t outbox_window_left(const struct site *site, const struct run_report *r);

/* The mails that are due now, at most so many, instead of those before. */
int outbox_window_fill(struct outbox_window *w, struct site *site, size_t most, struct err *e);

/* Notes in a transaction of its own what became of the mails, and of the sink (trouble).
 * repeatable: the sink recognises a second copy, so that it is no harm if a power cut takes the
 * note away. */
int outbox_window_record(const struct outbox_window *w, struct site *site,
                         const struct err *trouble, bool repeatable, struct run_report *r,
                         struct err *e);

#endif
