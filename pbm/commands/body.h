/* Runs the commands in the body of a mail, one a line. */
#ifndef PBM_COMMANDS_BODY_H
#define PBM_COMMANDS_BODY_H

#include "pbm/request/request.h"

/* Runs the lines up to a word that ends them, to prose below commands, or to REQUEST_LINES_MAX. */
int body_run(struct request *q, const char *text, struct err *e);

/* Runs an answer to a digest: each line about a board is done or refused on its own.  Nothing of
 * it is passed on as a text. */
int body_run_digest(struct request *q, const char *text, struct err *e);

#endif
