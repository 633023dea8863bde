/* Keeps a player's messages to the other one beyond MAIL_LIMITS_TALKS_AN_HOUR. */
#pragma once

#include "pbm/commands/words/command.h"

/* Keeps the text, about the call's board or, as a message, about none.  One mail to the other
 * player waits in the outbox until `ends`, the end of the hour; each further text of the hour puts
 * a longer one in its place.  1: it waits; 0: too much waits already, and the text is refused. */
int chat_later(struct request *q, const struct call *c, const char *to, const char *text,
               int64_t ends, struct err *e);

/* Says that the line can be sent after the hour, and was not passed on now. */
void chat_later_refuse(struct request *q, const struct call *c, const char *to, int64_t ends);
