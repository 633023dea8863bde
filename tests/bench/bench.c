/* make bench: what matters, as ratios against something known, in one run.
 *   parse  the sandbox beside parsing without one (bench_parse.c)
 *   perft  nodes/s of every game beside fairy-stockfish where it knows the game
 *   archive  publishing a game on sites with many players (bench_archive.c)
 *   mails  a whole durable run beside a loop that writes and fsyncs one file a mail */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/commands/command_list.h"
#include "pbm/record/match.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/token.h"
#include "store/store_documents.h"
#include "tests/bench/bench.h"

#define FAIRY "/usr/games/fairy-stockfish"

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

double bench_median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, ascending);
	return v[n / 2];
}

_Noreturn void bench_fail(const char *what, const struct err *e)
{
	fprintf(stderr, "bench: %s: %s\n", what, e ? e->text : "");
	exit(1);
}

/* Nodes/s of fairy-stockfish's own perft, 0 when it isn't installed. */
static double fairy_speed(const char *variant, int depth, uint64_t nodes)
{
	char command[400], line[200];
	double t = bench_now();
	bool same = false;

	if (!variant || access(FAIRY, X_OK) != 0)
		return 0;
	snprintf(command, sizeof command,
	         "printf 'setoption name UCI_Variant value %s\\nposition startpos\\n"
	         "go perft %d\\nquit\\n' | " FAIRY " 2>/dev/null",
	         variant, depth);
	FILE *f = popen(command, "r");
	while (f && fgets(line, sizeof line, f)) {
		unsigned long long n;

		if (sscanf(line, "Nodes searched: %llu", &n) == 1)
			same = n == nodes;
	}
	if (f)
		pclose(f);
	t = bench_now() - t;
	if (!same)
		fprintf(stderr, "bench: fairy-stockfish counts %s differently\n", variant);
	return (double)nodes / t;
}

static const struct {
	const char *game, *option, *fairy;
	int depth;
} perfts[] = {
	{ "chess", NULL, "chess", 5 },
	{ "suicide", NULL, "suicide", 6 },
	{ "antichess", NULL, "antichess", 6 },
	{ "losers", NULL, "losers", 6 },
	{ "giveaway", NULL, "giveaway", 6 },
	{ "avalanchechess", NULL, NULL, 3 },
	{ "avalanchechess", "-standard", NULL, 3 },
	{ "allmate", NULL, NULL, 5 },
	{ "connectedchess", NULL, NULL, 5 },
	{ "connectedchess", "-half", NULL, 6 },
};

static void bench_perft(void)
{
	printf("%-26s %5s %12s %14s %14s %8s\n", "perft", "depth", "nodes", "ours n/s", "fairy n/s",
	       "ratio");
	for (size_t i = 0; i < sizeof perfts / sizeof perfts[0]; i++) {
		struct game g = { .rules = rules_find(perfts[i].game, strlen(perfts[i].game),
			                              NULL) };
		struct pos p;
		double ours[RUNS], fairy[RUNS];
		uint64_t nodes = 0;

		if (!g.rules)
			continue;
		if (perfts[i].option &&
		    game_option(&g, perfts[i].option, strlen(perfts[i].option), NULL) < 0)
			bench_fail(perfts[i].option, NULL);
		game_setup(&g, NULL, &p, NULL);
		for (int r = 0; r < RUNS; r++) {
			double t = bench_now();

			nodes = game_perft(&g, &p, perfts[i].depth);
			ours[r] = (double)nodes / (bench_now() - t);
			fairy[r] = fairy_speed(perfts[i].fairy, perfts[i].depth, nodes);
		}
		double o = bench_median(ours, RUNS), f = bench_median(fairy, RUNS);
		printf("%-15s %-10s %5d %12llu %14.0f %14.0f ", perfts[i].game,
		       perfts[i].option ? perfts[i].option : "", perfts[i].depth,
		       (unsigned long long)nodes, o, f);
		printf(f > 0 ? "%7.1fx\n" : "       -\n", f > 0 ? o / f : 0);
		fflush(stdout);
	}
}

/* n running games between alice and bob, and a mail with a first move for each. */
static size_t make_work(struct site *s, size_t n, struct err *e)
{
	struct arena a = { 0 };
	size_t bytes = 0;

	if (store_begin(s->store, e) < 0)
		bench_fail("begin", e);
	struct player_address addr[2] = { { .address = "alice@localhost", .confirmed = 1 },
		                          { .address = "bob@localhost", .confirmed = 1 } };
	struct player_doc p[2] = {
		{ .userid = "alice",
		  .role = "player",
		  .created = 1,
		  .address_count = 1,
		  .addresses = &addr[0] },
		{ .userid = "bob",
		  .role = "player",
		  .created = 1,
		  .address_count = 1,
		  .addresses = &addr[1] },
	};
	if (store_player_put(s->store, &p[0], e) < 0 || store_player_put(s->store, &p[1], e) < 0)
		bench_fail("players", e);
	for (size_t i = 0; i < n; i++) {
		struct game_doc d = { .game = "suicide",
			              .options = "",
			              .players = { "alice", "bob" },
			              .days = 7,
			              .reserve = 30,
			              .created = clock_now() };
		struct match m;
		char to[200], text[1000], path[300];
		struct str tag = STR_FIXED(to);

		if (store_next_board(s->store, &d.board, e) < 0 || match_create(&a, &d, &m, e) < 0)
			bench_fail("game", e);
		match_start(&m, clock_now());
		if (store_game_put(s->store, &m.doc, e) < 0)
			bench_fail("put", e);
		token_write(s,
		            &(struct token){ .kind = TOKEN_GAME,
		                             .board = d.board,
		                             .seat = SEAT_WHITE,
		                             .expires = token_expiry(TOKEN_GAME, clock_now()) },
		            &tag);
		int len = snprintf(
			text, sizeof text,
			"Return-Path: <alice@localhost>\nFrom: Alice <alice@localhost>\n"
			"To: pbm+%s@localhost\nSubject: Re: [pbm] your move\nMessage-ID: <m%zu@example.org>\n"
			"Date: Tue, 1 Dec 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
			"Content-Type: text/plain; charset=utf-8\n\ne3\n\n> It is your move, alice.\n",
			to, i);
		snprintf(path, sizeof path, "%s/inbox/new/%zu.%zu", s->dir, 1000000000 + i, i);
		if (io_replace(AT_FDCWD, path, text, (size_t)len, 0600, IO_LAZY, e) < 0)
			bench_fail("mail", e);
		bytes += (size_t)len;
		if (a.used > 1 << 24)
			arena_release(&a);
	}
	if (store_commit(s->store, e) < 0)
		bench_fail("commit", e);
	arena_release(&a);
	return bytes / n;
}

static double run_mails(struct site *s, size_t n, struct err *e)
{
	struct mail_source source;
	struct mail_sink sink;
	struct run_report r = { 0 };

	s->conf.mails_per_run = (long)(3 * n); /* all of them: that is what is measured */
	if (mail_ends_source(s, &source, e) < 0 || mail_ends_sink(s, &sink, e) < 0)
		bench_fail("ends", e);
	double t = bench_now();
	if (run_once(s, &source, &sink, 0, &r, e) < 0)
		bench_fail("tick", e);
	t = bench_now() - t;
	source.ops->close(source.self);
	sink.ops->close(sink.self);
	if (r.handled != n || r.sent != 2 * n)
		fprintf(stderr, "bench: %zu handled, %zu sent of %zu\n", r.handled, r.sent, n);
	return (double)n / t;
}

static double plain_loop(const char *dir, size_t n, size_t size, struct err *e)
{
	char path[300], *text = mem_alloc(size);
	double t = bench_now();

	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/plain-%zu", dir, i);
		if (io_replace(AT_FDCWD, path, text, size, 0600, IO_DURABLE, e) < 0)
			bench_fail("plain", e);
	}
	t = bench_now() - t;
	free(text);
	return (double)n / t;
}

static void make_site(const char *path, struct site *s, struct err *e)
{
	if (site_create(path, "localhost", e) < 0 || site_open(path, s, e) < 0 ||
	    site_open_store(s, STORE_WRITE, e) < 0)
		bench_fail("site", e);
	s->conf.sender_per_day = 1000000; /* all of them are alice's */
}

void bench_work(const char *dir, size_t n)
{
	struct err e = { 0 };
	struct site s;

	if (site_open(dir, &s, &e) < 0 || site_open_store(&s, STORE_WRITE, &e) < 0)
		bench_fail("site", &e);
	make_work(&s, n, &e);
	site_close(&s);
}

double bench_cpu(void)
{
	double t = 0;

	for (int who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who++) {
		struct rusage u;

		getrusage(who, &u);
		t += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		     1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
	}
	return t;
}

/* Bytes of the files in a folder. */
static double folder_bytes(const char *path)
{
	char command[200];
	double bytes = 0;

	snprintf(command, sizeof command, "find %s -type f -printf '%%s\\n'", path);
	FILE *f = popen(command, "r");
	for (double size; f && fscanf(f, "%lf", &size) == 1;)
		bytes += size;
	if (f)
		pclose(f);
	return bytes;
}

static void bench_mails(size_t n)
{
	char dir[] = "build/bench-XXXXXX", path[100], command[200];
	struct err e = { 0 };
	struct site s;

	if (!mkdtemp(dir))
		bench_fail(dir, NULL);
	snprintf(path, sizeof path, "%s/site", dir);
	make_site(path, &s, &e);
	size_t size = make_work(&s, n, &e);
	double plain = plain_loop(dir, n, size, &e), before = bench_cpu();
	double ours = run_mails(&s, n, &e), cpu = bench_cpu() - before;
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	snprintf(path, sizeof path, "%s/site/sent/new", dir);
	printf("%-8zu %14.0f %18.0f %8.2f %10ld %10.2f %12.0f\n", n, ours, plain, ours / plain,
	       u.ru_maxrss, 1000 * cpu / (double)n, folder_bytes(path) / (2 * (double)n));
	fflush(stdout);
	site_close(&s);
	snprintf(command, sizeof command, "rm -rf %s", dir);
	if (system(command) != 0)
		bench_fail(command, NULL);
}

/* bench --make DIR N: a site with its work before it, for tests/bench/bench_servers.py. */
static int make_only(const char *dir, size_t n)
{
	struct err e = { 0 };
	struct site s;

	make_site(dir, &s, &e);
	make_work(&s, n, &e);
	site_close(&s);
	return 0;
}

int main(int argc, char **argv)
{
	const char *most = getenv("BENCH_GAMES");

	command_use(command_list);
	log_threshold(LOG_LEVEL_ERROR);
	if (argc == 5 && strcmp(argv[2], "--site") == 0) {
		bench_site(argv[1], argv[3], strtoll(argv[4], NULL, 10));
		return 0;
	}
	if (argc == 2 && most) { /* the store alone */
		bench_store(argv[1], strtoll(most, NULL, 10));
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "--archive") == 0) { /* this section alone */
		bench_archive(strtoll(argv[2], NULL, 10));
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "--publish") == 0) { /* DIR PLAYERS SEED */
		bench_publish(argv[2], strtoll(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--sought") == 0) {
		bench_sought();
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--pictures") == 0) {
		bench_pictures();
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "--peak") == 0)
		return bench_peak(argv[2], argv[3], argv[4]);
	if (argc == 3 && strcmp(argv[1], "--mails") == 0) { /* this section alone */
		bench_mails(strtoul(argv[2], NULL, 10));
		return 0;
	}
	if (argc == 4 && strcmp(argv[1], "--make") == 0)
		return make_only(argv[2], strtoul(argv[3], NULL, 10));
	if (argc < 3)
		bench_perft();
	bench_parse();
	printf("\nmails: one run, each move checked, committed, two answers written and synced;\n"
	       "plain: a loop that writes one file a mail, fsync, rename, fsync of the folder\n"
	       "%-8s %14s %18s %8s %10s %10s %12s\n",
	       "mails", "ours mails/s", "plain mails/s", "ratio", "peak KiB", "CPU ms",
	       "bytes/answer");
	for (size_t n = 100; n <= 10000; n *= 10)
		bench_mails(n);
	bench_sought();
	bench_pictures();
	bench_store(argv[1], 100000);
	bench_archive(100000);
	return 0;
}
