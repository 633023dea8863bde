/* Claims of a player: a draw by the rules, the end of the other side's time, a won game. */
#ifndef PBM_COMMANDS_PLAY_CLAIM_H
#define PBM_COMMANDS_PLAY_CLAIM_H

#include "pbm/commands/words/command.h"

/* "claim repetition", "fifty", "time" or "win": ends the game, or says why the claim fails. */
int claim_run(struct request *q, struct call *c, struct err *e);

/* Says, for a claim of a win without a line, what the sender can do about the opponent's time; ""
 * at his own move.  Begins with two blanks. */
const char *claim_time_hint(struct request *q, const struct call *c);

/* Refuses a claim of anything else. */
int claim_read(struct request *q, struct call *c, struct err *);

#endif
