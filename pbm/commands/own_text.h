/* The sender's own words in a mail, apart from a mail of ours that it copies. */
#pragma once

#include "pbm/request/request.h"

/* As reply_read() says, without the beginning of a copy that only the program's sentences give away. */
const char *own_text(struct request *q);

/* Tells the sender of text that stands between or below the lines of a copy of our mail, and that
 * nobody reads.  After the rest of the mail was read, and not if that gets no answer. */
void own_text_tell(struct request *q);
