/* The player whose message a mail answers. */
#pragma once

#include "pbm/request/request.h"

/* The player whom the mail seems to answer: it does, or our Subject ends with the name.  The latter is
 * not certain, so nothing may go there.  NULL: none. */
const char *writer_named(struct request *q);

/* The player whose message the mail answers: the token has the name, and the Subject does not end with
 * another player's; a long name must stand in the Subject, too.  Prose may go there.  NULL: none. */
const char *writer_answered(struct request *q);
