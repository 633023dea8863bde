/* Runs the commands in the body of a mail, one a line. */
#pragma once

#include "pbm/request/request.h"

/* Tells the writer that commands below a line which ended the reading were not read.  text: that below
 * it.  false: no command stands there. */
bool body_tell_unread(struct request *q, const char *line, const char *text);

/* Runs the lines up to a word that ends them, to prose below commands, or to REQUEST_LINES_MAX. */
int body_run(struct request *q, const char *text, struct err *e);

/* Runs an answer with lines for several boards, as to a digest: each line about a board is done or
 * refused on its own.  Text directly below one goes to its opponent; below several it goes to
 * nobody, and the writer is told.  Other text is passed over. */
int body_run_boards(struct request *q, const char *text, struct err *e);
