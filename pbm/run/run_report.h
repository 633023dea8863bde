/* What one run did: counted by run.c and outbox.c, shown by the program. */
#ifndef PBM_RUN_RUN_REPORT_H
#define PBM_RUN_RUN_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "pbm/run/deadlines.h"

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

#endif
