/* The store as it grows: what must not cost more on a large site, and what it
 * costs to make the index again. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "tests/bench/bench.h"
#include "tests/util/simulated.h"

#define IDLE_RUNS 15

/* Seconds and peak KiB of one run of the program. */
static double run(const char *pbm, const char *dir, const char *word, long *peak)
{
	struct rusage u;
	double t = bench_now();
	int status;
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDOUT_FILENO);
		execl(pbm, pbm, "-q", "-C", dir, "--now", "2026-12-01T12:00:00Z", word,
		      (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &u) < 0 || status != 0)
		bench_fail(word, NULL);
	if (peak)
		*peak = u.ru_maxrss;
	return bench_now() - t;
}

int bench_peak(const char *pbm, const char *dir, const char *word)
{
	long peak;

	run(pbm, dir, word, &peak);
	printf("%ld\n", peak);
	return 0;
}

/* A process inherits the peak of the one that it was forked from, and this one has
 * grown: a fresh copy of it does the forking. */
static long peak_of(const char *pbm, const char *dir, const char *word)
{
	char self[300] = "", command[1000], line[40] = "";

	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		bench_fail("readlink", NULL);
	snprintf(command, sizeof command, "%s --peak %s %s %s", self, pbm, dir, word);
	FILE *p = popen(command, "r");
	if (!p || !fgets(line, sizeof line, p) || pclose(p) != 0)
		bench_fail(command, NULL);
	return strtol(line, NULL, 10);
}

/* Milliseconds of a run over one mail. */
static double one_mail(const char *pbm, const char *dir)
{
	double v[RUNS];

	for (int i = 0; i < RUNS; i++) {
		bench_work(dir, 1);
		v[i] = 1000 * run(pbm, dir, "tick", NULL);
	}
	return bench_median(v, RUNS);
}

static double make(const char *path, int64_t games)
{
	struct simulation sim = {
		.games = games,
		.players = games / 10 + 2,
		.running = 10,
		.seed = 1,
		.from = 1600000000,
		.to = 1796000000,
		.everyday = true,
	};
	struct err e = { 0 };
	struct site s;
	double t = bench_now();

	if (site_create(path, "localhost", &e) < 0 || site_open(path, &s, &e) < 0 ||
	    site_open_store(&s, STORE_WRITE, &e) < 0 || simulate(&s, &sim, &e) < 0)
		bench_fail("simulate", &e);
	site_close(&s);
	return (double)(games + sim.players) / (bench_now() - t);
}

static void measure(const char *pbm, const char *path, int64_t games, double made, bool each)
{
	double idle[IDLE_RUNS];

	run(pbm, path, "tick", NULL);
	for (int i = 0; i < IDLE_RUNS; i++)
		idle[i] = 1000 * run(pbm, path, "tick", NULL);
	long peak = peak_of(pbm, path, "tick");
	double asked = bench_questions(path, games / 10, false), mail = one_mail(pbm, path);
	double t = run(pbm, path, "reindex", NULL);
	long rebuild = peak_of(pbm, path, "reindex");
	printf("%-9" PRId64 " %10.0f %8.1f %10ld %8.1f %12.2f %12.0f %10ld\n", games, made,
	       bench_median(idle, IDLE_RUNS), peak, mail, asked, (double)games / t, rebuild);
	if (each)
		bench_questions(path, games / 10, true);
	fflush(stdout);
}

static void heading(void)
{
	printf("\nstore: sites of real games; idle: a run with nothing to do; mail: a run over one move;\n"
	       "asked: the slowest question of a command; reindex: index from the files\n"
	       "%-9s %10s %8s %10s %8s %12s %12s %10s\n",
	       "games", "made/s", "idle ms", "peak KiB", "mail ms", "asked ms", "reindex/s",
	       "peak KiB");
}

void bench_store(const char *pbm, int64_t most)
{
	heading();
	for (int64_t n = 1000; n <= most; n *= 10) {
		char dir[] = "build/bench-XXXXXX", path[100], command[200];

		if (!mkdtemp(dir))
			bench_fail(dir, NULL);
		snprintf(path, sizeof path, "%s/site", dir);
		double made = make(path, n);
		measure(pbm, path, n, made, n * 10 > most);
		snprintf(command, sizeof command, "rm -rf %s", dir);
		if (system(command) != 0)
			bench_fail(command, NULL);
	}
}

void bench_site(const char *pbm, const char *path, int64_t games)
{
	heading();
	measure(pbm, path, games, 0, true);
}
