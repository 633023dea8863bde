/* skip: a player of a Swiss tournament asks for the next round off, for half a point. */
#ifndef PBM_COMMANDS_TOURNAMENT_TOURNAMENT_SKIP_H
#define PBM_COMMANDS_TOURNAMENT_TOURNAMENT_SKIP_H

#include "pbm/commands/words/command.h"

/* The slots of the command's row. */
int tournament_skip_read(struct request *q, struct call *c, struct err *e);
int tournament_skip_run(struct request *q, struct call *c, struct err *e);

#endif
