/* Mails that hold nothing but courtesy: thanks, or an "ok" where nothing was asked.  Reads no
 * command and no move, and answers no question. */
#ifndef PBM_COMMANDS_COURTESY_H
#define PBM_COMMANDS_COURTESY_H

#include "pbm/request/request.h"

/* Deals with such a mail: thanks get no answer, which would only bring the next thanks; an "ok" is
 * told that nothing was asked.  false: the mail is another. */
bool courtesy_take(struct request *q, const char *subject, const char *text);

#endif
