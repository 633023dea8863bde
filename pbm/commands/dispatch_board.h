/* The board that a line is about, for dispatch.c. */
#ifndef PBM_COMMANDS_DISPATCH_BOARD_H
#define PBM_COMMANDS_DISPATCH_BOARD_H

#include "pbm/commands/dispatch_pair.h"

/* Is the next word a board, "17" or "17:"?  "12 . Nf3" begins with the number of a move. */
bool dispatch_next_board(const struct parse *p, struct board_ref *out);

/* Is a board known: written in the line, or that of the mail being answered? */
bool dispatch_has_board(const struct parse *p);

/* Finds the board: as written, or that of the mail being answered, or the only one that the
 * command can mean.  1: refused. */
int dispatch_parse_board(struct parse *p, struct err *e);

#endif
