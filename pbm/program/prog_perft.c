/* pbm perft: counts the turns at a depth. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/mem.h"
#include "pbm/program/game_words.h"
#include "pbm/program/prog.h"

#define DEPTH_MAX 30

static void divide_perft(const struct game *g, const struct pos *p, int depth)
{
	AUTO(mem_free) struct moves *legal = mem_alloc(sizeof *legal);

	game_legal(g, p, legal);
	for (size_t i = 0; i < legal->n; i++) {
		struct pos next = *p;
		struct str s = STR_LOCAL(64);

		game_write_uci(g, p, &legal->v[i], &s);
		game_apply(g, &next, &legal->v[i], NULL);
		printf("%s: %llu\n", s.data, (unsigned long long)game_perft(g, &next, depth - 1));
	}
}

/* Other programs print castling rights even for games without castling.  perft is used
 * to compare with them, so it drops such a field, and says so. */
static int setup_leniently(const struct game_words *q, struct pos *p, struct err *e)
{
	char board[200], side[8], rights[16], rest[100];
	struct err why = { 0 };
	int n = q->fen ? sscanf(q->fen, "%199s %7s %15s %99[^\n]", board, side, rights, rest) : 0;
	int rc = game_setup(&q->game, q->fen, p, &why);

	if (rc == 0 || n < 4 || strcmp(rights, "-") == 0)
		return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
	const char *again = PRINTED(400, "%s %s - %s", board, side, rest);
	if (game_setup(&q->game, again, p, NULL) < 0)
		return err_set(e, why.code, "%s", why.text);
	fprintf(stderr, "pbm: castling rights %s are not counted: %s\n", rights, why.text);
	return 0;
}

static int read_depth(char **argv, const struct game_words *q, uint64_t *depth)
{
	struct err e = { 0 };

	if (q->n == 0)
		return prog_usage(argv[0], "the depth is missing");
	if (q->n > 1)
		return prog_refuse_word(argv, q->words[1]);
	return prog_number("the depth", q->words[0], 0, DEPTH_MAX, depth, &e) < 0
	               ? prog_usage(argv[0], "%s", e.text)
	               : 0;
}

static int print_perft(const struct game_words *q, bool divide, int depth)
{
	struct err e = { 0 };
	struct pos p;

	if (setup_leniently(q, &p, &e) < 0)
		return prog_fail(&e);
	if (divide && depth > 0)
		divide_perft(&q->game, &p, depth);
	printf("nodes %" PRIu64 "\n", (uint64_t)game_perft(&q->game, &p, depth));
	return 0;
}

int prog_perft(const struct prog_options *, int argc, char **argv)
{
	AUTO(mem_free) struct game_words *q = mem_alloc(sizeof *q);
	bool divide = false;
	const struct prog_word own[] = { { .name = "--divide", .flag = &divide },
		                         { .name = NULL } };
	uint64_t depth = 0;

	int code = game_words_read(argc, argv, own, q);
	if (code == 0)
		code = read_depth(argv, q, &depth);
	if (code == 0)
		code = print_perft(q, divide, (int)depth);
	return code;
}
