/* A turn that can't be played as it stands: it repeats the one before it, or it is the other side's
 * move.  Plays nothing. */
#pragma once

#include "pbm/commands/words/command.h"

/* "1. e4 e5" of Black repeats the turn just played, as a score sheet has it.  Returns the text after
 * it, if its number and the turn are exactly those of the last ply; else the line itself. */
const char *early_skip_repeated(const struct match *m, const char *line);

/* Refuses a turn at other's move, and says how it can be sent ahead, if it can. */
struct note *early_refuse(struct request *q, const struct call *c, const char *other);
