/* The list of all tables of commands, for command_use(). */
#ifndef PBM_COMMANDS_COMMAND_LIST_H
#define PBM_COMMANDS_COMMAND_LIST_H

#include "pbm/commands/words/command.h"

extern const struct command *const command_list[];

#endif
