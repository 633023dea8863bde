/* Sends the digests whose hour has come. */
#pragma once

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* Puts the digests that are due at `now` into the outbox, and sets the time of the players'
 * next ones in the same transaction.  So a run that is killed and repeated sends each digest
 * once, and after days without a run each player gets one. */
int digests_run(struct site *site, int64_t now, struct err *e);
