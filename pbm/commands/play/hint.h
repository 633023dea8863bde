/* The command hint: in an unrated game against a computer the engine says where to look, and, asked
 * again, what to play.  The game's record keeps that. */
#pragma once

#include "pbm/commands/words/command.h"

/* hint [board] */
int hint_read(struct request *q, struct call *c, struct err *e);
int hint_run(struct request *q, struct call *c, struct err *e);
