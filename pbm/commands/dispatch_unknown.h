/* Refusals of lines that are no command, with what was probably meant, for dispatch.c. */
#ifndef PBM_COMMANDS_DISPATCH_UNKNOWN_H
#define PBM_COMMANDS_DISPATCH_UNKNOWN_H

#include "pbm/commands/dispatch_pair.h"

/* The word should be a command. */
void dispatch_refuse_unknown(struct parse *p, const char *word);

/* The first line of an answer, from start, is neither a move nor a command. */
void dispatch_refuse_line(struct parse *p, const char *start, const char *word);

#endif
