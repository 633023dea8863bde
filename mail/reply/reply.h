/* What a person wrote above the quote. */
#ifndef MAIL_REPLY_REPLY_H
#define MAIL_REPLY_REPLY_H

#include "pbm/base/mem.h"

/* The lines the sender wrote now: no quote, no signature, nothing below our
 * "reply above this line" marker. */
const char *reply_text(struct arena *a, const char *text);

#endif
