/* Sends what waits in the outbox. */
#ifndef PBM_RUN_OUTBOX_H
#define PBM_RUN_OUTBOX_H

#include "mail/transport/transport.h"
#include "pbm/run/run_report.h"
#include "pbm/site/site.h"

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
int outbox_flush(struct site *site, struct mail_sink *sink, long seconds, struct run_report *report,
                 struct err *e);

/* Seconds a run may send in which somebody waits for its end: an MTA with its
 * pipe, a person at a prompt. */
#define SHORT_SENDING 10

#endif
