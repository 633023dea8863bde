/* The list of all tables of commands, for command_use(). */
#pragma once

#include "pbm/commands/words/command.h"

extern const struct command *const command_list[];
