/* The ways out: a mail that wants no more mail.  It is recognised before anything else in
 * the mail, also in a reply to a board and from somebody without an account. */
#ifndef PBM_COMMANDS_LEAVE_H
#define PBM_COMMANDS_LEAVE_H

#include <stdbool.h>

#include "pbm/request/request.h"

/* Is the line, with a full stop or a "please" at most, a word that leads out: stop,
 * unsubscribe, remove, signoff? */
bool leave_is_word(const char *line);

/* ... or one that leads out of the news alone: unsubscribe news, stop news? */
bool leave_is_news(const char *line);

/* The mail's whole Subject, or the first line of its text, is such a word.  A player is
 * signed off, or asked first, or gets no more news; nothing is written any more to another
 * address. */
int leave_run(struct request *q, bool news, struct err *e);

#endif
