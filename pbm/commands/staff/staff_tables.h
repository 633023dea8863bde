/* The tables of the commands of this room. */
#pragma once

#include "pbm/commands/words/command.h"

extern const struct command cmd_mod_table[];

/* The acts of moderators, each called "mod <word>". */
extern const struct command cmd_mod_result_acts[], cmd_mod_acts[], cmd_mod_people_acts[],
	cmd_mod_tournament_acts[];
