/* Mails that were dealt with are kept for a while, so that an operator can look at them.  This
 * bounds how long, and how many: those in quarantine, and those that a Maildir has filed. */
#ifndef PBM_RUN_FILED_H
#define PBM_RUN_FILED_H

#include <stdbool.h>

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* The value in the store with the time of the last look at retention and quota. */
#define FILED_LOOKED "filed-looked"

/* Call it once a run.  Deletes what is too old or too much: in quarantine once a day, and after
 * a run that put mails aside (added); of the filed mails once a day, if retention or quota is
 * set.  Tells the operator when the site takes more than quota all the same.  Trouble is
 * logged and stops nothing; as an error only if the run was not halted by another one. */
void filed_bound(struct site *site, struct mail_source *source, bool added, bool halted);

#endif
