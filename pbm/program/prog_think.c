/* pbm think: one run of the site's computers. */
#include <stdio.h>
#include <unistd.h>

#include "pbm/base/log.h"
#include "pbm/program/prog.h"
#include "pbm/think/think.h"

#define SECONDS 50 /* cron comes each minute */
#define GAMES_MOST 1000000

static void say(const struct think_report *r, bool person)
{
	const char *later = r->later ? "; more in the next run" : "";

	if (person)
		printf("%zu answers of computers, %zu seeks taken, %zu games analysed, %zu puzzles found%s.\n",
		       r->moves, r->seeks, r->analysed, r->puzzles, later);
	else if (r->moves || r->seeks || r->wrong || r->late || r->analysed || r->puzzles)
		log_info(
			"%zu answers of computers, %zu seeks taken, %zu games analysed, %zu puzzles found; %zu games changed meanwhile, %zu turns not found%s",
			r->moves, r->seeks, r->analysed, r->puzzles, r->late, r->wrong, later);
}

int prog_think(const struct prog_options *o, int argc, char **argv)
{
	uint64_t seconds = SECONDS, games = GAMES_MOST;
	bool person = isatty(STDOUT_FILENO);
	struct think_report r = { 0 };
	struct err e = { 0 };
	const struct prog_word words[] = {
		{ "--seconds", .number = &seconds, .least = 1, .most = 86400 },
		{ "--games", .number = &games, .least = 1, .most = GAMES_MOST },
		{ .name = NULL },
	};
	int code = prog_read(argc, argv, words);

	if (code)
		return code;
	struct think_limits l = { (int)seconds, (size_t)games };
	int rc = think_run(o->dir, &l, &r, &e);
	if (rc == ERR_BUSY) {
		log_info("%s; this run does nothing", e.text);
		return 0;
	}
	if (rc < 0)
		return prog_fail(&e);
	say(&r, person);
	return 0;
}
