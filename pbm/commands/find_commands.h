/* Finds the commands of a mail (in a reply, in the Subject, or one on each line of the
 * body), and the prose beside them. */
#ifndef PBM_COMMANDS_FIND_COMMANDS_H
#define PBM_COMMANDS_FIND_COMMANDS_H

#include "pbm/request/request.h"

/* Finds the commands and runs them all.  <0: the store failed. */
int find_commands(struct request *q, struct err *e);

#endif
