/* Lines of a mail that wait until the player confirms them; confirm.h asks. */
#ifndef PBM_COMMANDS_HOLD_H
#define PBM_COMMANDS_HOLD_H

#include "pbm/commands/command.h"

#define HOLD_LINE_MAX 1500 /* bytes: the question shows the whole line */

/* Adds line to the request's held lines, with the call's board in words.  More than
 * REQUEST_LINES_MAX are dropped; a line of more than HOLD_LINE_MAX bytes is refused. */
void hold_line(struct request *q, const struct call *c, const char *line);

#endif
