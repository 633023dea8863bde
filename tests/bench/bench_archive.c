/* The archive and the accounts of sites with many players whose names begin with the same
 * letter: the end of a game and a new name must not cost more on a large site. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "pbm/archive/archive.h"
#include "pbm/people/account_name.h"
#include "tests/bench/bench.h"
#include "tests/util/simulated.h"

#define GAMES 15
#define NAMES 50

static bool is_no_word(const char *)
{
	return false;
}

/* Milliseconds of publishing one more game. */
struct publishing {
	double median, slowest, cpu; /* the median of the processor's time */
};

/* With players out of so many; those that the site does not have are new. */
static struct publishing publish(struct site *s, int64_t players, uint64_t seed)
{
	struct simulated w = { .state = seed };
	struct simulation sim = { .games = GAMES,
		                  .players = players,
		                  .from = 1796000000,
		                  .to = 1797000000,
		                  .publish = true };
	struct err e = { 0 };
	double v[GAMES], cpu[GAMES];

	simulated_playouts(&w);
	/* The first one writes what no run has written yet. */
	for (int i = -1; i < GAMES; i++) {
		struct archive_report r = { 0 };

		if (store_begin(s->store, &e) < 0 ||
		    simulated_game(s, &w, &sim, i < 0 ? 0 : i, &e) < 0 ||
		    store_commit(s->store, &e) < 0)
			bench_fail("game", &e);
		double t = bench_now(), c = bench_cpu();
		if (archive_publish(s, &r, &e) < 0 || r.failed || r.games != 1)
			bench_fail(r.first, &e);
		if (i >= 0) {
			v[i] = 1000 * (bench_now() - t);
			cpu[i] = 1000 * (bench_cpu() - c);
		}
	}
	double median = bench_median(v, GAMES);
	arena_release(&w.arena);
	free(w.v[0]);
	free(w.v[1]);
	return (struct publishing){ median, v[GAMES - 1], bench_median(cpu, GAMES) };
}

void bench_publish(const char *dir, int64_t players, uint64_t seed)
{
	struct err e = { 0 };
	struct site s;

	if (site_open(dir, &s, &e) < 0 || site_open_store(&s, STORE_WRITE, &e) < 0)
		bench_fail(dir, &e);
	struct publishing p = publish(&s, players, seed);
	printf("game: %.1f ms, slowest %.1f ms, CPU %.1f ms\n", p.median, p.slowest, p.cpu);
	site_close(&s);
}

/* Milliseconds of checking a name that is free. */
static double check_name(struct site *s)
{
	double v[NAMES];

	for (int i = 0; i < NAMES; i++) {
		struct arena a = { 0 };
		struct err why = { 0 }, e = { 0 };
		char userid[24];
		double t = bench_now();

		snprintf(userid, sizeof userid, "pnew%c", 'a' + i % 26);
		if (account_name_check(s->store, &a, userid, 0, is_no_word, &why, &e) != 0)
			bench_fail(why.text, &e);
		v[i] = 1000 * (bench_now() - t);
		arena_release(&a);
	}
	return bench_median(v, NAMES);
}

static void measure(int64_t players)
{
	char dir[] = "build/bench-XXXXXX", path[100], command[200];
	struct simulation sim = { .games = players,
		                  .players = players,
		                  .seed = 1,
		                  .from = 1600000000,
		                  .to = 1796000000 };
	struct err e = { 0 };
	struct site s;

	if (!mkdtemp(dir))
		bench_fail(dir, NULL);
	snprintf(path, sizeof path, "%s/site", dir);
	if (site_create(path, "localhost", &e) < 0 || site_open(path, &s, &e) < 0 ||
	    site_open_store(&s, STORE_WRITE, &e) < 0 || simulate(&s, &sim, &e) < 0)
		bench_fail("simulate", &e);
	struct publishing p = publish(&s, 2 * players, 7);
	printf("%-9" PRId64 " %12.1f %12.1f %12.1f %12.3f\n", players, p.median, p.slowest, p.cpu,
	       check_name(&s));
	fflush(stdout);
	site_close(&s);
	snprintf(command, sizeof command, "rm -rf %s", dir);
	if (system(command) != 0)
		bench_fail(command, NULL);
}

void bench_archive(int64_t most)
{
	printf("\narchive: players whose names begin with the same letter; game: one more that ended is\n"
	       "published, the slowest of %d, and the processor's part; name: one for a new account is compared\n"
	       "with all\n"
	       "%-9s %12s %12s %12s %12s\n",
	       GAMES, "players", "game ms", "slowest ms", "CPU ms", "name ms");
	for (int64_t n = 1000; n <= most; n *= 10)
		measure(n);
}
