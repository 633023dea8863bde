/* The tables of the commands of this room. */
#ifndef PBM_COMMANDS_STAFF_STAFF_TABLES_H
#define PBM_COMMANDS_STAFF_STAFF_TABLES_H

#include "pbm/commands/words/command.h"

extern const struct command cmd_mod_table[];

/* The acts of moderators, each called "mod <word>". */
extern const struct command cmd_mod_result_acts[], cmd_mod_acts[], cmd_mod_people_acts[],
	cmd_mod_tournament_acts[];

#endif
