/* The command that plays a turn. */
#ifndef PBM_COMMANDS_TURN_H
#define PBM_COMMANDS_TURN_H

#include "pbm/commands/command.h"

/* Is the line a turn that seat may play on m now?  Tells nobody. */
bool turn_is_legal(struct request *q, const struct match *m, uint8_t seat, const char *line);

/* Could the turn in c->rest be played now?  If not, the sender is told why. */
bool turn_can_be_played(struct request *q, struct call *c);

/* Plays the turn in c->rest, or says why not. */
int turn_run(struct request *q, struct call *c, struct err *e);

#endif
