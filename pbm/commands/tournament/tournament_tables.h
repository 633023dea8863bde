/* The tables of the commands of this room. */
#pragma once

#include "pbm/commands/words/command.h"

extern const struct command cmd_ladder_table[], cmd_team_table[], cmd_tournament_table[];
