/* Runs the command lines of a mail, one by one. */
#ifndef PBM_COMMANDS_DISPATCH_H
#define PBM_COMMANDS_DISPATCH_H

#include "pbm/commands/words/command.h"

/* Runs one line.  Refusals are notes; <0 only when the store fails. */
int dispatch_line(struct request *q, const char *line, struct err *e);

#endif
