/* Bounds how long, and how many, mails are kept after they were dealt with, for an operator to
 * look at: those in quarantine, and those that a Maildir has filed. */
#pragma once

#include <stdbool.h>

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* The store's value with the time of the last check of retention and quota. */
#define FILED_LIMITS_LOOKED "filed-looked"

/* Call it once a run.  Deletes mails that are too old or too many: in quarantine once a day, and
 * after a run that put mails aside (added); of the filed mails once a day, if retention or quota
 * is set.  Tells the operator when the site still takes more than quota.  Trouble is logged and
 * stops nothing; as an error only if the run was not halted by another one. */
void filed_limits_bound(struct site *site, struct mail_source *source, bool added, bool halted);
