/* The counts of one run: made by run.c, deadlines.c and outbox.c, shown by the program. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct deadlines_report {
	size_t reminded, ended; /* games; warnings are reminders, offers may end too */
	bool later;             /* no time was left: the next run does the rest */
};

struct run_report {
	size_t handled, quarantined, retried, refused; /* mails in */
	size_t sent, deferred, failed;                 /* mails out */
	bool stopped;                                  /* the sink failed */
	bool unsent;                                   /* nothing was sent, since an MTA waits */
	bool elsewhere;                                /* another process sends the mails */
	size_t unfetched;                              /* mails that could not be fetched */
	struct deadlines_report clocks;
	size_t published; /* archive pages of games */
	/* MAY: called after each batch of mails in, and each window of mails out. */
	void (*progress)(const struct run_report *r);
};
