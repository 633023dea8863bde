/* The command resign.  A rated game in which a side has made fewer than two turns is aborted
 * instead, after a question: nobody gets a rating for it. */
#pragma once

#include "pbm/commands/words/command.h"

/* Says in the question for a proof what will happen to such a young game.  Always true. */
int resign_read(struct request *q, struct call *c, struct err *);

/* Ends the game without a result, and tells both players. */
int resign_abort(struct request *q, struct call *c, bool agreed, struct err *e);

/* resign [board] */
int resign_run(struct request *q, struct call *c, struct err *e);
