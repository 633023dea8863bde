/* Where the commands of a mail are: in a reply, in the Subject, or one a line
 * in the body; and what is prose beside them. */
#ifndef PBM_READ_H
#define PBM_READ_H

#include "pbm/request.h"

/* Finds the commands and runs them all.  <0: the store failed. */
int read_commands(struct request *q, struct err *e);

#endif
