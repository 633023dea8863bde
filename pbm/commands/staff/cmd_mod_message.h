/* The act "mod tournament spring message": the director's words to the players of a tournament.  They go
 * to nobody else, once in an hour. */
#ifndef PBM_COMMANDS_STAFF_CMD_MOD_MESSAGE_H
#define PBM_COMMANDS_STAFF_CMD_MOD_MESSAGE_H

#include "pbm/commands/words/command.h"
#include "store/document/tournament.h"

/* Is there a text, for players, and none within the hour before?  If not, says why. */
bool cmd_mod_message_can(struct request *q, struct call *c, struct tournament_doc *t);
int cmd_mod_message(struct request *q, struct call *c, struct tournament_doc *t, struct err *e);

#endif
