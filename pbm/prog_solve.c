/* pbm solve: is a position of the losing family won or lost?  Its output is
 * one "word value" a line, for people and scripts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "games/solve/solve.h"
#include "pbm/base/mem.h"
#include "pbm/prog.h"

#define TABLE_MIB 256
#define TABLE_MIB_MAX (1024 * 1024)
#define LINE_SHOWN 12 /* plies of progress */
#define NODES 100000000

/* What the command line asks for. */
struct request {
	struct game game;
	const char *fen;
	uint64_t nodes, mib;
	struct pos pos; /* after the moves */
};

/* The line of progress on a terminal, once a second. */
struct progress {
	const struct request *r;
	double start, last;
	bool shown;
};

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int read_number(const char *word, const char *text, uint64_t max, uint64_t *out,
                       struct err *e)
{
	char *end;

	errno = 0;
	unsigned long long n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || n > max)
		return err_set(e, ERR_BAD, "%s must be a number from 0 to %llu, not %s", word,
		               (unsigned long long)max, text);
	*out = n;
	return 0;
}

static int play(struct request *r, const char *text, struct err *e)
{
	struct move m;
	int rc = game_read_move(&r->game, &r->pos, text, strlen(text), &m, NULL, e);

	if (rc == 0)
		game_apply(&r->game, &r->pos, &m, NULL);
	return rc;
}

/* Options may stand between the moves; the position needs them all first. */
static int read_request(int argc, char **argv, struct request *r, struct err *e)
{
	int rc = 0, moves = 2;

	r->game.rules = rules_find(argv[1], strlen(argv[1]), e);
	if (!r->game.rules)
		return e->code;
	for (int i = 2; rc == 0 && i < argc; i++) {
		if (strcmp(argv[i], "--fen") == 0 && i + 1 < argc)
			r->fen = argv[++i];
		else if (strcmp(argv[i], "--nodes") == 0 && i + 1 < argc)
			rc = read_number("--nodes", argv[++i], UINT64_MAX, &r->nodes, e);
		else if (strcmp(argv[i], "--table") == 0 && i + 1 < argc)
			rc = read_number("--table", argv[++i], TABLE_MIB_MAX, &r->mib, e);
		else if (argv[i][0] == '-' && strcmp(argv[i], "--") != 0)
			rc = game_option(&r->game, argv[i], strlen(argv[i]), e);
		else
			argv[moves++] = argv[i];
	}
	if (rc == 0)
		rc = game_setup(&r->game, r->fen, &r->pos, e);
	for (int i = 2; rc == 0 && i < moves; i++)
		rc = play(r, argv[i], e);
	return rc;
}

/* "12.Nf3 Bc5 13.Bb5", numbered as the FEN counts. */
static void write_line(const struct game *g, struct pos p, const struct move *line, size_t n,
                       struct str *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			str_add_char(out, ' ');
		if (p.to_move == WHITE || i == 0)
			str_addf(out, "%u%s", p.fullmove, p.to_move == WHITE ? "." : "...");
		game_write_san(g, &p, &line[i], out);
		game_apply(g, &p, &line[i], NULL);
	}
}

static bool show_progress(void *ctx, const struct solve_progress *now)
{
	struct progress *w = ctx;
	double t = seconds_now();
	char buf[64];
	struct str s = STR_FIXED(buf);

	if (t - w->last < 1)
		return true;
	w->last = t;
	w->shown = true;
	write_line(&w->r->game, w->r->pos, now->line, now->n < LINE_SHOWN ? now->n : LINE_SHOWN,
	           &s);
	fprintf(stderr, "\r\033[K%.0f s, %.1f M nodes, a win for %s? %s", t - w->start,
	        (double)now->nodes / 1e6, now->attacker == WHITE ? "White" : "Black", buf);
	return true;
}

static void clear_progress(struct progress *w)
{
	if (w->shown)
		fprintf(stderr, "\r\033[K");
	w->shown = false;
}

static void print_result(const struct request *r, const struct solve_result *got, double seconds)
{
	static const char *const values[] = {
		[SOLVE_UNKNOWN] = "unknown",
		[SOLVE_WIN] = "win",
		[SOLVE_LOSS] = "loss",
	};
	struct str line;

	printf("value %s\n", values[got->value]);
	if (got->value == SOLVE_UNKNOWN)
		printf("because %s\n",
		       got->settled ? "neither side can force a win" : "a limit came first");
	if (got->n) {
		str_init(&line, 64 * SOLVE_DEPTH);
		write_line(&r->game, r->pos, got->line, got->n, &line);
		printf("line %s%s\n", line.data, got->complete ? "" : " ...");
		str_release(&line);
	}
	printf("nodes %llu\nseconds %.2f\nnodes/s %.0f\n", (unsigned long long)got->nodes, seconds,
	       (double)got->nodes / (seconds > 1e-6 ? seconds : 1e-6));
}

static void print_proof(struct solve *s, const struct request *r, enum solve_value value,
                        const struct solve_limits *limits)
{
	uint64_t positions;
	bool holds = solve_verify(s, &r->pos, value, limits, &positions);

	clear_progress(limits->ctx);
	printf("proof %s, %llu positions\n", holds ? "verified" : "not verified within the limit",
	       (unsigned long long)positions);
}

static void answer(struct solve *s, const struct request *r)
{
	struct progress w = { .r = r, .start = seconds_now() };
	struct solve_limits limits = { .nodes = r->nodes, .ctx = &w };
	struct solve_result *got = mem_alloc(sizeof *got);

	w.last = w.start;
	if (isatty(STDERR_FILENO))
		limits.report = show_progress;
	solve_run(s, &r->pos, &limits, got);
	double seconds = seconds_now() - w.start;
	clear_progress(&w);
	print_result(r, got, seconds);
	if (got->value != SOLVE_UNKNOWN)
		print_proof(s, r, got->value, &limits);
	free(got);
}

static int run(const struct request *r, struct err *e)
{
	size_t size = (size_t)r->mib << 20;
	char *memory = mem_alloc(size);

	struct solve *s = solve_init(&r->game, memory, size, e);
	if (s)
		answer(s, r);
	free(memory);
	return s ? 0 : e->code;
}

int prog_solve(const struct prog_options *o, int argc, char **argv)
{
	struct request r = { .nodes = NODES, .mib = TABLE_MIB };
	struct err e = { 0 };

	(void)o;
	if (argc < 2)
		return prog_usage("solve");
	int rc = read_request(argc, argv, &r, &e);
	if (rc == 0)
		rc = run(&r, &e);
	return rc < 0 ? prog_fail(&e) : 0;
}
