/* All mails of a source, in transactions of many mails. */
#ifndef PBM_RUN_INTAKE_H
#define PBM_RUN_INTAKE_H

#include "mail/transport/transport.h"
#include "pbm/run/run_report.h"
#include "pbm/site/site.h"

/* Works on the mails until there are no more.  A trouble for which the others must wait, but that
 * takes nothing back, goes to *halt.  flags: enum mail_in_flags. */
int intake_run(struct site *site, struct mail_source *source, unsigned flags,
               struct run_report *report, struct err *halt, struct err *e);

#endif
