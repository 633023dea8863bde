/* Acts of moderators on the result and the moves of a game: mod adjudicate, annul, rollback.
 * Handlers of the table in cmd_mod.c. */
#ifndef PBM_COMMANDS_STAFF_CMD_MOD_RESULT_H
#define PBM_COMMANDS_STAFF_CMD_MOD_RESULT_H

#include "pbm/commands/words/command.h"

bool cmd_mod_result_can_adjudicate(struct request *q, struct call *c);
int cmd_mod_result_adjudicate(struct request *q, struct call *c, struct err *e);

bool cmd_mod_result_can_annul(struct request *q, struct call *c);
int cmd_mod_result_annul(struct request *q, struct call *c, struct err *e);

bool cmd_mod_result_can_roll_back(struct request *q, struct call *c);
int cmd_mod_result_roll_back(struct request *q, struct call *c, struct err *e);

#endif
