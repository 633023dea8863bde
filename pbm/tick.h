/* One run: mails in, one transaction a batch, mails out, archive.  A crash at
 * any point and the next run end in the state of an undisturbed run. */
#ifndef PBM_TICK_H
#define PBM_TICK_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/transport.h"
#include "pbm/deadline.h"
#include "pbm/site.h"

struct tick_report {
	size_t handled, quarantined, retried, refused; /* mails in */
	size_t sent, deferred, failed;                 /* mails out */
	bool stopped;                                  /* the sink had trouble of its own */
	bool unsent;                                   /* nothing was sent: an MTA waits */
	bool elsewhere;                                /* another process sends what waits */
	size_t unfetched;                              /* mails that stay where they are */
	struct deadline_report clocks;
	size_t published; /* archive pages of games */
};

/* Takes every mail of source, looks after the clocks, sends the outbox to sink,
 * publishes.  The store must be open for writing.  flags: enum handle_flags. */
int tick_run(struct site *site, struct mail_source *source, struct mail_sink *sink, unsigned flags,
             struct tick_report *report, struct err *e);

/* What the store remembers of the sink: failures in a row, the time before which it
 * is left alone, and when it failed last, or worked again after that. */
#define SINK_FAILURES "sink-failures"
#define SINK_PAUSE "sink-pause"
#define SINK_SILENT "clock-silent"

/* The outbox alone: what is due goes out, as far as so many seconds, mails-per-run
 * and the sink allow.  That a sink is down is no error: the log and report->stopped
 * say so, and the mails wait.  Nor is it one that another process sends, which takes
 * along what it finds (report->elsewhere).  Others may write to the store meanwhile:
 * whatever was read from it is to be read again. */
int outbox_flush(struct site *site, struct mail_sink *sink, long seconds,
                 struct tick_report *report, struct err *e);

/* Seconds a run may send in which somebody waits for its end: an MTA with its
 * pipe, a person at a prompt. */
#define SHORT_SENDING 10

/* Keeps a mail that can't be worked on in quarantine/, with the reason beside
 * it, and tells the operator (operator_tell()), within the transaction. */
int quarantine(struct site *site, const struct mail_raw *raw, const char *why, struct err *e);
/* Makes all of them durable: before the commit, so that no mail is lost, and once
 * for them all, so that a flood of bad ones costs no flush each. */
int quarantine_flush(struct site *site, struct err *e);

#endif
