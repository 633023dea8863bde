/* A site of any size:  simulate DIR GAMES [PLAYERS]
 * for measuring; the same numbers make the same site. */
#include "pbm/archive/archive.h"
#include "pbm/commands/command_list.h"
#include "tests/util/simulated.h"

#include <unistd.h>

static void show(int64_t done, int64_t all)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%" PRId64 " of %" PRId64 " documents", done, all);
}

int main(int argc, char **argv)
{
	struct simulation sim = {
		.running = 10,
		.from = 1600000000,
		.to = 1796000000,
		.seed = 1,
		.everyday = true,
		.progress = show,
	};
	struct site s;
	struct err e = { 0 };

	command_use(command_list);
	if (argc < 3 || (sim.games = atoll(argv[2])) < 1) {
		fprintf(stderr, "usage: %s DIR GAMES [PLAYERS]\n", argv[0]);
		return 64;
	}
	sim.players = argc > 3 ? atoll(argv[3]) : sim.games / 10 + 2;
	if (sim.players < 2 || site_create(argv[1], "pbm.example.org", &e) < 0 ||
	    site_open(argv[1], &s, &e) < 0 || site_open_store(&s, STORE_WRITE, &e) < 0 ||
	    archive_begin(&s, &e) < 0 || simulate(&s, &sim, &e) < 0) {
		fprintf(stderr, "%s: %s\n", argv[0], e.text);
		return 1;
	}
	site_close(&s);
	return 0;
}
