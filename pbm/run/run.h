/* One run: mails in, one transaction a batch, mails out, archive.  A crash at
 * any point and the next run end in the state of an undisturbed run. */
#ifndef PBM_RUN_RUN_H
#define PBM_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/transport/transport.h"
#include "pbm/run/deadlines.h"
#include "pbm/site/site.h"

struct run_report {
	size_t handled, quarantined, retried, refused; /* mails in */
	size_t sent, deferred, failed;                 /* mails out */
	bool stopped;                                  /* the sink had trouble of its own */
	bool unsent;                                   /* nothing was sent: an MTA waits */
	bool elsewhere;                                /* another process sends what waits */
	size_t unfetched;                              /* mails that stay where they are */
	struct deadlines_report clocks;
	size_t published; /* archive pages of games */
};

/* Takes every mail of source, looks after the clocks, sends the outbox to sink,
 * publishes.  The store must be open for writing.  flags: enum mail_in_flags. */
int run_once(struct site *site, struct mail_source *source, struct mail_sink *sink, unsigned flags,
             struct run_report *report, struct err *e);

#endif
