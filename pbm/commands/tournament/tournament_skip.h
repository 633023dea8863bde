/* skip: a player of a Swiss tournament asks for the next round off, for half a point. */
#pragma once

#include "pbm/commands/words/command.h"

/* The slots of the command's row. */
int tournament_skip_read(struct request *q, struct call *c, struct err *e);
int tournament_skip_run(struct request *q, struct call *c, struct err *e);
