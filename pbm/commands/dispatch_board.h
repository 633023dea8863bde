/* The board that a line means without naming it, for dispatch.c. */
#ifndef PBM_COMMANDS_DISPATCH_BOARD_H
#define PBM_COMMANDS_DISPATCH_BOARD_H

#include "pbm/commands/dispatch_pair.h"

/* Sets p->ref and p->has_ref if the sender has only one board that the command can mean.  1:
 * refused, with a list of what waits for the sender's answer. */
int dispatch_only_board(struct parse *p, struct err *e);

#endif
