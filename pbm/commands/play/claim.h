/* Claims of a player: a draw by the rules, the end of the other side's time, a won game. */
#pragma once

#include "pbm/commands/words/command.h"

/* "claim repetition", "fifty", "time" or "win": ends the game, or says why the claim fails. */
int claim_run(struct request *q, struct call *c, struct err *e);

/* Refuses a claim of anything else. */
int claim_read(struct request *q, struct call *c, struct err *);
