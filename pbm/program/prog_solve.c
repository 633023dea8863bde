/* pbm solve: is a position of the losing family won or lost?  Its output is
 * one "word value" a line, for people and scripts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/solve/solve.h"
#include "pbm/base/mem.h"
#include "pbm/program/game_words.h"
#include "pbm/program/prog.h"

#define TABLE_MIB 256
#define TABLE_MIB_LEAST 4
#define TABLE_MIB_MAX (1024 * 1024)
#define LINE_SHOWN 12 /* plies of progress */
#define NODES 100000000

/* The questions of the command line. */
struct solve_request {
	struct game_words words; /* the moves */
	uint64_t nodes, mib;
	struct pos pos; /* after the moves */
};

/* The line of progress on a terminal, once a second. */
struct progress {
	const struct solve_request *r;
	double start, last;
	bool shown;
};

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int play_moves(struct solve_request *r, struct err *e)
{
	const struct game *g = &r->words.game;
	int rc = game_setup(g, r->words.fen, &r->pos, e);

	for (size_t i = 0; rc == 0 && i < r->words.n; i++) {
		const char *text = r->words.words[i];
		struct move m;

		rc = game_read_move(g, &r->pos, text, strlen(text), &m, NULL, e);
		if (rc == 0)
			game_apply(g, &r->pos, &m, NULL);
	}
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
	struct str s = STR_LOCAL(64);

	if (t - w->last < 1)
		return true;
	w->last = t;
	w->shown = true;
	write_line(&w->r->words.game, w->r->pos, now->line,
	           now->n < LINE_SHOWN ? now->n : LINE_SHOWN, &s);
	fprintf(stderr, "\r\033[K%.0f s, %.1f M nodes, a win for %s? %s", t - w->start,
	        (double)now->nodes / 1e6, now->attacker == WHITE ? "White" : "Black", s.data);
	return true;
}

static void clear_progress(struct progress *w)
{
	if (w->shown)
		fprintf(stderr, "\r\033[K");
	w->shown = false;
}

static void print_result(const struct solve_request *r, const struct solve_result *got,
                         double seconds)
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
		write_line(&r->words.game, r->pos, got->line, got->n, &line);
		printf("line %s%s\n", line.data, got->complete ? "" : " ...");
		str_release(&line);
	}
	printf("nodes %llu\nseconds %.2f\nnodes/s %.0f\n", (unsigned long long)got->nodes, seconds,
	       (double)got->nodes / (seconds > 1e-6 ? seconds : 1e-6));
}

static void print_proof(struct solve *s, const struct solve_request *r, enum solve_value value,
                        const struct solve_limits *limits)
{
	uint64_t positions;
	bool holds = solve_verify(s, &r->pos, value, limits, &positions);

	clear_progress(limits->ctx);
	printf("proof %s, %llu positions\n", holds ? "verified" : "not verified within the limit",
	       (unsigned long long)positions);
}

static void print_answer(struct solve *s, const struct solve_request *r)
{
	struct progress w = { .r = r, .start = seconds_now() };
	struct solve_limits limits = { .nodes = r->nodes, .ctx = &w };
	AUTO(mem_free) struct solve_result *got = mem_alloc(sizeof *got);

	w.last = w.start;
	if (isatty(STDERR_FILENO))
		limits.report = show_progress;
	solve_run(s, &r->pos, &limits, got);
	double seconds = seconds_now() - w.start;
	clear_progress(&w);
	print_result(r, got, seconds);
	if (got->value != SOLVE_UNKNOWN)
		print_proof(s, r, got->value, &limits);
}

/* The solver's table may be larger than this machine's memory: then the user has
 * to ask for less, and mem_alloc(), which ends the process, does not fit. */
static int solve(const struct solve_request *r, struct err *e)
{
	size_t size = (size_t)r->mib << 20;
	AUTO(mem_free) char *memory = calloc(1, size);

	if (!memory)
		return err_set(e, ERR_BAD,
		               "--table %" PRIu64
		               ": this machine has not so much memory; ask for fewer MiB",
		               r->mib);
	struct solve *s = solve_init(&r->words.game, memory, size, e);
	if (s)
		print_answer(s, r);
	return s ? 0 : e->code;
}

int prog_solve(const struct prog_options *, int argc, char **argv)
{
	AUTO(mem_free) struct solve_request *r = mem_alloc(sizeof *r);
	const struct prog_word own[] = {
		{ .name = "--nodes", .number = &r->nodes, .most = UINT64_MAX },
		{ .name = "--table",
		  .number = &r->mib,
		  .least = TABLE_MIB_LEAST,
		  .most = TABLE_MIB_MAX },
		{ .name = NULL },
	};
	struct err e = { 0 };

	r->nodes = NODES;
	r->mib = TABLE_MIB;
	int code = game_words_read(argc, argv, own, &r->words);
	if (code == 0 && (play_moves(r, &e) < 0 || solve(r, &e) < 0))
		code = prog_fail(&e);
	return code;
}
