/* The player whose message a mail answers. */
#pragma once

#include "pbm/request/request.h"

/* The player whom the mail seems to answer: our Subject ends with the name, or, under another
 * Subject, the token has the mark of the name.  Neither is certain, so nothing may go there.  NULL: none. */
const char *writer_named(struct request *q);

/* The player whose message the mail answers: the token has the mark of the name in the Subject;
 * under another Subject only one of the staff is found.  Prose may go there.  NULL: none. */
const char *writer_answered(struct request *q);
