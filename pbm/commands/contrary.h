/* Mails whose Subject is a word that acts, and whose text says something else. */
#ifndef PBM_COMMANDS_CONTRARY_H
#define PBM_COMMANDS_CONTRARY_H

#include "pbm/request/request.h"

/* Does the first line of the text go on with the sentence that the Subject begins, "stop" and "the
 * clock please"?  line MAY be NULL. */
bool contrary_goes_on(struct request *q, const char *subject, const char *line);

/* Is the Subject, without "Re:" and the like, a word that acts, such as "resign", in an answer or a
 * forwarded mail with a text of its own, or above a text that says no or goes on with it?  Asks back. */
bool contrary_refuse(struct request *q, const char *subject, const char *text);

#endif
