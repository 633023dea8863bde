/* The tables of the commands of this room. */
#ifndef PBM_COMMANDS_LOBBY_LOBBY_TABLES_H
#define PBM_COMMANDS_LOBBY_LOBBY_TABLES_H

#include "pbm/commands/words/command.h"

extern const struct command cmd_blocks_table[], cmd_digest_table[], cmd_lobby_table[],
	cmd_seek_table[];

#endif
