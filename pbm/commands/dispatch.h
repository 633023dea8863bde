/* Runs the command lines of a mail, one by one. */
#pragma once

#include "pbm/commands/words/command.h"

/* Runs one line.  Refusals are notes; <0 only when the store fails. */
int dispatch_line(struct request *q, const char *line, struct err *e);
