/* pbm.  The libraries that few sub-commands need belong to other programs. */
#include "pbm/program/prog.h"

int main(int argc, char **argv)
{
	static const struct prog_run runs[] = {
		{ "init", prog_init },
		{ "config", prog_config },
		{ "key", prog_key },
		{ "upgrade", prog_upgrade },
		{ "tick", prog_tick },
		{ "work", prog_work },
		{ "think", prog_think },
		{ "deliver", prog_deliver },
		{ "outbox", prog_outbox },
		{ "inbox", prog_inbox },
		{ "user", prog_user },
		{ "computer", prog_computer },
		{ "tournament", prog_tournament },
		{ "acts", prog_acts },
		{ "audit", prog_audit },
		{ "stats", prog_stats },
		{ "machine", prog_machine },
		{ "archive", prog_archive },
		{ "fsck", prog_fsck },
		{ "reindex", prog_reindex },
		{ "ratings", prog_ratings },
		{ "games", prog_games },
		{ "manual", prog_manual },
		{ "perft", prog_perft },
		{ "import", prog_import },
		{ "export", prog_export },
		{ "pgn", prog_pgn },
		{ "position", prog_position },
		{ "solve", prog_solve },
		{ "uci", prog_uci },
		{ NULL, NULL },
	};

	return prog_main(argc, argv, runs);
}
