/* Decides about a run where the kernel refuses the filter of system calls. */
#ifndef PBM_RUN_NO_FILTER_H
#define PBM_RUN_NO_FILTER_H

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* To be called before the first mail of a run is worked on.  ERR_UNFILTERED: its parser would
 * run without the filter, and pbm.conf does not allow that; the operator has been told.  Errors of mail_sandbox_check(). */
int no_filter_check(struct site *site, struct err *e);

/* Tells the operator that no mail is read, in a transaction of its own. */
void no_filter_tell(struct site *site);

#endif
