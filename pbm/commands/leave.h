/* The ways out: a mail that wants no more mail.  It is recognised before anything else in
 * the mail, also in a reply to a board and from somebody without an account. */
#ifndef PBM_COMMANDS_LEAVE_H
#define PBM_COMMANDS_LEAVE_H

#include <stdbool.h>

#include "pbm/request/request.h"

/* The command that the line means if it is a word that leads out, with a full stop or a "please"
 * at most: stop, unsubscribe, remove, signoff; stop all; stop news.  NULL: it is none. */
const char *leave_command(const char *line);

/* The mail's whole Subject, or the first line of its text, is such a word.  A player is
 * signed off, or asked first, or gets no more news; nothing is written any more to another
 * address. */
int leave_run(struct request *q, const char *command, struct err *e);

#endif
