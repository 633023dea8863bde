/* The acts on a ladder: "ladder join", "ladder leave", "ladder challenge". */
#ifndef PBM_COMMANDS_CMD_LADDER_H
#define PBM_COMMANDS_CMD_LADDER_H

#include "pbm/commands/command.h"

/* The command of a word after "ladder", or NULL. */
const struct command *cmd_ladder_find(const char *word);

#endif
