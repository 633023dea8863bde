/* The mails to watchers.  During a run request_save() notes the boards with news; at its end
 * each watcher gets one mail about all of them.  A watcher's mail has no player's token, and
 * nothing that the board's page would not show.  No game is changed. */
#pragma once

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* Puts the mails to watchers into the outbox.  The notes and the mails are one
 * transaction, so that a run that is killed and repeated sends each mail once. */
int spectate_run(struct site *site, int64_t now, struct err *e);
