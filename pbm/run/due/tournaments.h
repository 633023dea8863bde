/* Moves tournaments on without a mail: begins or cancels those whose time has come, pairs rounds
 * and starts games, asks directors about long rounds.  Each tournament has a mark of the
 * transaction, which covers its games and mails: so each step happens once. */
#pragma once

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* Does what is due at now, after the mails and the clocks of the run.  A tournament that fails
 * is left unchanged and logged. */
int tournaments_run(struct site *site, int64_t now, struct err *e);
