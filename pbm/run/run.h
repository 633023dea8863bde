/* One run: mails in, one transaction a batch, mails out, archive.  A crash at
 * any point and the next run end in the state of an undisturbed run. */
#ifndef PBM_RUN_RUN_H
#define PBM_RUN_RUN_H

#include "mail/transport/transport.h"
#include "pbm/run/run_report.h"
#include "pbm/site/site.h"

/* Takes every mail of source, looks after the clocks, sends the outbox to sink,
 * publishes.  The store must be open for writing.  flags: enum mail_in_flags. */
int run_once(struct site *site, struct mail_source *source, struct mail_sink *sink, unsigned flags,
             struct run_report *report, struct err *e);

#endif
