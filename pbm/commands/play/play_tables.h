/* The tables of the commands of this room. */
#pragma once

#include "pbm/commands/words/command.h"

extern const struct command cmd_ahead_table[], cmd_gif_table[], cmd_message_table[],
	cmd_notebook_table[], cmd_play_table[], cmd_puzzle_table[], cmd_read_table[],
	cmd_scratch_table[], cmd_time_table[], cmd_watch_table[];
