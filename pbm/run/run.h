/* One run: mails in, one transaction for each batch, mails out, archive.  After a crash
 * at any point, the next run ends in the same state as a run without a crash. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/outbox/run_report.h"

struct site;

/* Works on every mail of source, handles the deadlines, sends the outbox to sink, and
 * publishes the archive.  The store must be open for writing.  flags: enum mail_in_flags. */
int run_once(struct site *site, struct mail_source *source, struct mail_sink *sink, unsigned flags,
             struct run_report *report, struct err *e);
