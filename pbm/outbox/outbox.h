/* Sends what waits in the outbox. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/outbox/run_report.h"
#include "pbm/site/site.h"

/* Values in the store about the sink: its failures in a row, the time before which
 * nothing is sent, and the time of its last failure, or of the first success after
 * it. */
#define SINK_FAILURES "sink-failures"
#define SINK_PAUSE "sink-pause"
#define SINK_SILENT "clock-silent"

/* Sends the mails that are due, as far as the seconds, mails-per-run and the sink allow.  A sink
 * that is down is no error: the log and report->stopped say so, and the mails wait.  Another
 * process that is sending is no error either: it sends these mails too (report->elsewhere).
 * Other processes may write to the store in the meantime: read everything again afterwards. */
int outbox_flush(struct site *site, struct mail_sink *sink, long seconds, struct run_report *report,
                 struct err *e);

/* Seconds for sending while an MTA at its pipe, or a person at a prompt, waits for the end of
 * the run. */
#define SHORT_SENDING 10
