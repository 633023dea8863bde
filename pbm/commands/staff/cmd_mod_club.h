/* Acts of moderators that are about no board: mod report, mod broadcast.  Handlers of the table
 * in cmd_mod.c. */
#ifndef PBM_COMMANDS_STAFF_CMD_MOD_CLUB_H
#define PBM_COMMANDS_STAFF_CMD_MOD_CLUB_H

#include "pbm/commands/words/command.h"

int cmd_mod_club_read_report(struct request *q, struct call *c, struct err *);
int cmd_mod_club_report(struct request *q, struct call *c, struct err *e);

int cmd_mod_club_read_broadcast(struct request *q, struct call *c, struct err *e);
/* The text of such an act: the rest of its line, and what stands below it.  form: of the line.  NULL:
 * refused. */
const char *cmd_mod_club_text(struct request *q, const char *rest, const char *form);
/* The beginning of the text, for the record of acts, which has a line for each act. */
const char *cmd_mod_club_line(struct request *q, const char *text);
int cmd_mod_club_broadcast(struct request *q, struct call *c, struct err *e);

#endif
