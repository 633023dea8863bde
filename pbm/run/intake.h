/* Works on all mails of a source, in transactions of many mails. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/outbox/run_report.h"
#include "pbm/site/site.h"

/* Works on the mails until there are no more.  *halt: a trouble for which the next steps of the
 * run must wait, but which undoes nothing.  flags: enum mail_in_flags. */
int intake_run(struct site *site, struct mail_source *source, unsigned flags,
               struct run_report *report, struct err *halt, struct err *e);
