/* The tables of the commands of this room. */
#ifndef PBM_COMMANDS_TOURNAMENT_TOURNAMENT_TABLES_H
#define PBM_COMMANDS_TOURNAMENT_TOURNAMENT_TABLES_H

#include "pbm/commands/words/command.h"

extern const struct command cmd_ladder_table[], cmd_team_table[], cmd_tournament_table[];

#endif
