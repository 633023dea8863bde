/* Lines of a mail that wait until the player confirms them; confirm.h asks. */
#ifndef PBM_COMMANDS_HOLD_H
#define PBM_COMMANDS_HOLD_H

#include "pbm/commands/command.h"

/* Adds line to the request's held lines, with the call's board in words.  More than
 * REQUEST_LINES_MAX are dropped. */
void hold_line(struct request *q, const struct call *c, const char *line);

#endif
