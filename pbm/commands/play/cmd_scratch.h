/* Scratch boards by mail, and the number after a board that says which position is meant. */
#pragma once

#include "pbm/commands/words/command.h"

/* "#n" of a board: plies from the start, negative from the end.  false: refused. */
bool cmd_scratch_ply(struct request *q, const struct call *c, size_t *ply);
