/* Runs the commands in the body of a mail, one a line. */
#ifndef PBM_COMMANDS_BODY_H
#define PBM_COMMANDS_BODY_H

#include "pbm/request/request.h"

/* Runs the lines up to a word that ends them, to prose below commands, or to REQUEST_LINES_MAX. */
int body_run(struct request *q, const char *text, struct err *e);

#endif
