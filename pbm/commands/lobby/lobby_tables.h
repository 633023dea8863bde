/* The tables of the commands of this room. */
#pragma once

#include "pbm/commands/words/command.h"

extern const struct command cmd_blocks_table[], cmd_digest_table[], cmd_lobby_table[],
	cmd_seek_table[];
