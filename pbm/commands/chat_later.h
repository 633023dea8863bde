/* Keeps a player's messages to the other one beyond VOLUME_TALKS_AN_HOUR. */
#ifndef PBM_COMMANDS_CHAT_LATER_H
#define PBM_COMMANDS_CHAT_LATER_H

#include "pbm/commands/command.h"

/* Puts the text into the game's record.  One mail to the other player waits in the outbox until
 * `ends`, the end of the hour; each further text of the hour puts a longer one in its place. */
int chat_later(struct request *q, struct call *c, const char *text, int64_t ends, struct err *e);

/* Says that the text can be sent after the hour, and was not passed on now.  So it is with a
 * message: no record keeps its text, from which the mail that waits could be written anew. */
void chat_later_refuse(struct request *q, const struct call *c, const char *to, int64_t ends);

#endif
