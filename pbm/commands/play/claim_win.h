/* Decides whether a player wins by force, for "claim win".  The limits count turns and nodes,
 * never time, so that the same claim always gets the same answer. */
#pragma once

#include "pbm/commands/words/command.h"

/* "claim win" or "claim win line": ends the game, or says why the claim fails, without a line with
 * more after it. */
int claim_win_run(struct request *q, struct call *c, const char *more, struct err *e);
