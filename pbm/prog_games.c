/* Sub-commands about rules alone: perft, positions as JSON, the list of games.
 * Front ends, bots and test harnesses build on their output: it is stable. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/mem.h"
#include "pbm/help.h"
#include "pbm/prog.h"

#define LINE_MAX_BYTES (1024 * 1024)
#define MOVES_AT_ONCE 4096

/* What the words of a command line or a row of a batch ask for. */
struct query {
	struct game game;
	const char *fen;
	size_t n;
	const char *moves[MOVES_AT_ONCE];
};

static void set_string(json_t *o, const char *key, const char *text)
{
	json_object_set_new(o, key, text ? json_string(text) : json_null());
}

static json_t *man_json(const struct man *m)
{
	char square[3] = { (char)('a' + m->square % 8), (char)('1' + m->square / 8), '\0' };
	char letter = "pnbrqk"[m->type];
	char piece[2] = { m->color == WHITE ? (char)(letter - 'a' + 'A') : letter, '\0' };

	return json_pack("[s, s]", square, piece);
}

static void add_moves(const struct game *g, const struct pos *p, json_t *o)
{
	struct moves *legal = mem_alloc(sizeof *legal);
	json_t *uci = json_array(), *san = json_array();
	char text[64];

	game_legal(g, p, legal);
	for (size_t i = 0; i < legal->n; i++) {
		struct str s = STR_FIXED(text);

		game_write_uci(g, p, &legal->v[i], &s);
		json_array_append_new(uci, json_string(text));
		str_clear(&s);
		game_write_san(g, p, &legal->v[i], &s);
		json_array_append_new(san, json_string(text));
	}
	json_object_set_new(o, "legal", uci);
	json_object_set_new(o, "san", san);
	free(legal);
}

static void add_effects(const struct effects *fx, bool moved, json_t *o)
{
	json_t *removed = json_array(), *captured = json_array();

	for (size_t i = 0; moved && i < fx->removed_count; i++)
		json_array_append_new(removed, man_json(&fx->removed[i]));
	if (moved && fx->captured.type != NO_PIECE)
		json_array_append_new(captured, man_json(&fx->captured));
	json_object_set_new(o, "removed", removed);
	json_object_set_new(o, "captured", captured);
}

static int count_same(const struct pos *seen, size_t n)
{
	int count = 0;

	for (size_t i = 0; i < n; i++)
		count += game_same_position(&seen[i], &seen[n - 1]);
	return count;
}

/* Plays the query's moves; stops at the first that can't be played. */
static json_t *answer(const struct query *q)
{
	struct pos *seen = mem_alloc((q->n + 1) * sizeof *seen);
	struct effects fx = { .captured.type = NO_PIECE };
	struct outcome out = { 0 };
	struct err why = { 0 };
	char fen[128];
	struct str s = STR_FIXED(fen);
	json_t *o = json_object();
	size_t n = 0;
	bool drawn = false;

	set_string(o, "game", q->game.rules->name);
	if (game_setup(&q->game, q->fen, &seen[0], &why) < 0) {
		set_string(o, "fen", q->fen);
		set_string(o, "error", why.text);
		free(seen);
		return o;
	}
	while (n < q->n) {
		struct move mv;
		const char *text = q->moves[n];

		if (drawn) {
			err_set(&why, ERR_BAD,
			        "The game is over: the same position for the fifth time.");
			break;
		}
		if (game_read_move(&q->game, &seen[n], text, strlen(text), &mv, NULL, &why) < 0)
			break;
		seen[n + 1] = seen[n];
		game_apply(&q->game, &seen[n + 1], &mv, &fx);
		n++;
		drawn = count_same(seen, n + 1) >= 5;
	}
	game_outcome(&q->game, &seen[n], &out);
	if (drawn && out.result == RESULT_RUNNING)
		out = (struct outcome){ .result = RESULT_DRAW,
			                .why = "the same position for the fifth time" };
	game_write_fen(&q->game, &seen[n], &s);
	set_string(o, "fen", fen);
	set_string(o, "turn", seen[n].to_move == WHITE ? "white" : "black");
	if (out.result == RESULT_RUNNING) {
		add_moves(&q->game, &seen[n], o);
	} else {
		json_object_set_new(o, "legal", json_array());
		json_object_set_new(o, "san", json_array());
	}
	set_string(o, "result", result_text(out.result));
	set_string(o, "reason", out.why);
	json_object_set_new(o, "check", json_boolean(game_in_check(&q->game, &seen[n])));
	add_effects(&fx, n > 0, o);
	if (why.code)
		json_object_set_new(o, "at", json_integer((json_int_t)n + 1));
	set_string(o, "error", why.code ? why.text : NULL);
	free(seen);
	return o;
}

static int set_game(const char *name, struct query *q, struct err *e)
{
	q->game = (struct game){ .rules = rules_find(name, strlen(name), e) };
	return q->game.rules ? 0 : e->code;
}

/* One row of a batch. */
static int read_row(const json_t *row, struct query *q, struct err *e)
{
	const char *name = json_string_value(json_object_get(row, "game"));
	json_t *options = json_object_get(row, "options"), *moves = json_object_get(row, "moves"),
	       *v;
	size_t i;

	if (!name)
		return err_set(
			e, ERR_BAD,
			"a row is an object with \"game\" and perhaps \"options\", \"fen\", \"moves\"");
	int rc = set_game(name, q, e);
	json_array_foreach(options, i, v) {
		const char *word = json_string_value(v);

		if (rc == 0 && (!word || game_option(&q->game, word, strlen(word), e) < 0))
			rc = err_set(e, ERR_BAD, "options must be an array of strings");
	}
	json_array_foreach(moves, i, v) {
		if (rc == 0 && (!json_is_string(v) || q->n == MOVES_AT_ONCE))
			rc = err_set(e, ERR_BAD, "moves must be an array of at most %d strings",
			             MOVES_AT_ONCE);
		else if (rc == 0)
			q->moves[q->n++] = json_string_value(v);
	}
	q->fen = json_string_value(json_object_get(row, "fen"));
	return rc < 0 ? rc : 0;
}

static json_t *answer_line(const char *line, struct query *q)
{
	json_error_t where;
	struct err e = { 0 };
	json_t *row = json_loads(line, 0, &where), *out;

	memset(q, 0, sizeof *q);
	if (!row)
		err_set(&e, ERR_BAD, "not JSON: %s", where.text);
	if (row && read_row(row, q, &e) == 0)
		out = answer(q);
	else
		out = json_pack("{s:s}", "error", e.text);
	json_decref(row);
	return out;
}

static void print_json(json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER);

	puts(text ? text : "{\"error\":\"the answer is not UTF-8\"}");
	free(text);
	json_decref(o);
}

static int run_batch(void)
{
	struct query *q = mem_alloc(sizeof *q);
	char *line = NULL;
	size_t cap = 0;

	while (getline(&line, &cap, stdin) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strlen(line) > LINE_MAX_BYTES)
			print_json(json_pack("{s:s}", "error", "the line is too long"));
		else if (line[strspn(line, " \t\r")])
			print_json(answer_line(line, q));
	}
	free(line);
	free(q);
	return 0;
}

/* GAME [-options] [--fen FEN] words…: the words that are left go to q->moves. */
static int read_words(int argc, char **argv, struct query *q, bool *divide, struct err *e)
{
	if (argc < 2)
		return err_set(e, ERR_BAD, "which game?");
	int rc = set_game(argv[1], q, e);
	for (int i = 2; rc == 0 && i < argc; i++) {
		if (strcmp(argv[i], "--fen") == 0 && i + 1 < argc)
			q->fen = argv[++i];
		else if (divide && strcmp(argv[i], "--divide") == 0)
			*divide = true;
		else if (argv[i][0] == '-' && strcmp(argv[i], "--") != 0)
			rc = game_option(&q->game, argv[i], strlen(argv[i]), e);
		else if (q->n < MOVES_AT_ONCE)
			q->moves[q->n++] = argv[i];
	}
	return rc;
}

int prog_position(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };

	(void)o;
	if (argc == 2 && strcmp(argv[1], "--batch") == 0)
		return run_batch();
	if (argc < 2)
		return prog_usage("position");
	struct query *q = mem_alloc(sizeof *q);
	int rc = read_words(argc, argv, q, NULL, &e);
	int code = 0;
	if (rc == 0) {
		json_t *out = answer(q);

		code = json_is_string(json_object_get(out, "error")) ? EX_DATAERR : 0;
		print_json(out);
	}
	free(q);
	return rc < 0 ? prog_fail(&e) : code;
}

static void divide_perft(const struct game *g, const struct pos *p, int depth)
{
	struct moves *legal = mem_alloc(sizeof *legal);

	game_legal(g, p, legal);
	for (size_t i = 0; i < legal->n; i++) {
		struct pos next = *p;
		char text[64];
		struct str s = STR_FIXED(text);

		game_write_uci(g, p, &legal->v[i], &s);
		game_apply(g, &next, &legal->v[i], NULL);
		printf("%s: %llu\n", text, (unsigned long long)game_perft(g, &next, depth - 1));
	}
	free(legal);
}

/* Other programs print castling rights even for games that have none, and perft
 * is there to be compared with them: such a field is dropped, and it is said. */
static int setup_leniently(const struct query *q, struct pos *p, struct err *e)
{
	char board[200], side[8], rights[16], rest[100];
	struct err why = { 0 };
	int n = q->fen ? sscanf(q->fen, "%199s %7s %15s %99[^\n]", board, side, rights, rest) : 0;
	int rc = game_setup(&q->game, q->fen, p, &why);

	if (rc == 0 || n < 4 || strcmp(rights, "-") == 0)
		return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
	char again[400];
	snprintf(again, sizeof again, "%s %s - %s", board, side, rest);
	if (game_setup(&q->game, again, p, NULL) < 0)
		return err_set(e, why.code, "%s", why.text);
	fprintf(stderr, "pbm: castling rights %s are not counted: %s\n", rights, why.text);
	return 0;
}

int prog_perft(const struct prog_options *o, int argc, char **argv)
{
	struct query *q = mem_alloc(sizeof *q);
	struct err e = { 0 };
	struct pos p;
	bool divide = false;
	char *end = NULL;

	(void)o;
	if (argc < 3) {
		free(q);
		return prog_usage("perft");
	}
	int rc = read_words(argc, argv, q, &divide, &e);
	long depth = rc == 0 && q->n == 1 ? strtol(q->moves[0], &end, 10) : -1;
	if (rc == 0 && (depth < 0 || depth > 30 || *end)) {
		free(q);
		return prog_usage("perft");
	}
	if (rc == 0)
		rc = setup_leniently(q, &p, &e);
	if (rc == 0 && divide && depth > 0)
		divide_perft(&q->game, &p, (int)depth);
	if (rc == 0)
		printf("nodes %llu\n", (unsigned long long)game_perft(&q->game, &p, (int)depth));
	free(q);
	return rc < 0 ? prog_fail(&e) : 0;
}

int prog_games(const struct prog_options *o, int argc, char **argv)
{
	struct str s;

	(void)o;
	if (argc != 1)
		return prog_usage(argv[0]);
	str_init(&s, 65536);
	help_games(&s);
	fputs(s.data, stdout);
	str_release(&s);
	return 0;
}
