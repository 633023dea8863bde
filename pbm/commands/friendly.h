/* A yes or a no in friendly words in place of accept and decline.  It is good only for the one
 * thing that the answered mail has asked; everything else stays a refusal. */
#ifndef PBM_COMMANDS_FRIENDLY_H
#define PBM_COMMANDS_FRIENDLY_H

#include "pbm/commands/dispatch_pair.h"

/* If the line, no command and no move, answers what its mail has asked, makes it the command
 * accept or decline; its words become a comment. */
bool friendly_take(struct parse *p, const char *line);

/* Tells how to answer the offer that waits for the sender on the line's board; NULL: there is
 * none. */
const char *friendly_hint(struct parse *p);

#endif
