/* Finds mails that want no more mail, before anything else in the mail is read, also in replies
 * to a board and from a person without an account. */
#pragma once

#include "pbm/request/request.h"

/* The command that the line means if it is a word to leave, with a full stop or a "please" at
 * most: stop, unsubscribe, remove, signoff; stop all; stop news.  NULL: it is none. */
const char *leave_command(const char *line);

/* Runs the word, which is the mail's whole Subject or the first line of its text.  A player is
 * signed off, or asked first, or gets no more news; another address gets no more mails. */
int leave_run(struct request *q, const char *command, struct err *e);

/* Tells a player who is signed off, and whose line was refused, how mails begin again. */
void leave_remind(struct request *q);
