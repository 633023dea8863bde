#include "pbm/commands/command_list.h"

#include "pbm/commands/account/account_tables.h"
#include "pbm/commands/lobby/lobby_tables.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/commands/staff/staff_tables.h"
#include "pbm/commands/tournament/tournament_tables.h"

const struct command *const command_list[] = {
	cmd_help_table,     cmd_account_table, cmd_set_table,        cmd_lobby_table,
	cmd_play_table,     cmd_read_table,    cmd_gif_table,        cmd_rating_table,
	cmd_watch_table,    cmd_message_table, cmd_time_table,       cmd_leave_table,
	cmd_seek_table,     cmd_blocks_table,  cmd_ahead_table,      cmd_notebook_table,
	cmd_scratch_table,  cmd_people_table,  cmd_digest_table,     cmd_rank_table,
	cmd_openings_table, cmd_mod_table,     cmd_tournament_table, cmd_puzzle_table,
	cmd_team_table,     cmd_ladder_table,  cmd_export_table,     NULL
};
