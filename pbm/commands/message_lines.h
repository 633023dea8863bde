/* The lines of a mail that belong to a message: "message bob Hello," and the text below it.
 * Passes nothing on. */
#ifndef PBM_COMMANDS_MESSAGE_LINES_H
#define PBM_COMMANDS_MESSAGE_LINES_H

#include "pbm/commands/play/withhold.h"

/* *out: the line and the text below it, which *text moves past: in an answer to a mail that is
 * about no board all of it, else up to the next line that is a command.  They become one line,
 * so that they can be held for a proof.  A moderator's broadcast goes on to the end of the mail.
 * *w: the lines that were taken out.  NULL: the line is no message.  <0: as withhold_lines(). */
int message_lines_take(struct request *q, const char *line, const char **text, const char **out,
                       struct withheld *w, struct err *e);

#endif
