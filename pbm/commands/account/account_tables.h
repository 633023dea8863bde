/* The tables of the commands of this room. */
#pragma once

#include "pbm/commands/words/command.h"

extern const struct command cmd_account_table[], cmd_export_table[], cmd_help_table[],
	cmd_leave_table[], cmd_openings_table[], cmd_people_table[], cmd_rank_table[],
	cmd_rating_table[], cmd_set_table[];
