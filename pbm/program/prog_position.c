/* pbm position: a position, or a batch of them, as JSON.  Front ends, bots and test
 * harnesses build on this output: it is stable. */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/mem.h"
#include "pbm/program/game_words.h"
#include "pbm/program/prog.h"

#define LINE_MAX_BYTES (1024 * 1024)
#define OPTIONS_MAX 32 /* of one row */

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
	AUTO(mem_free) struct moves *legal = mem_alloc(sizeof *legal);
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
static json_t *describe_position(const struct game_words *q)
{
	AUTO(mem_free) struct pos *seen = mem_alloc((q->n + 1) * sizeof *seen);
	struct effects fx = { .captured.type = NO_PIECE };
	struct outcome out = { 0 };
	struct err why = { 0 };
	struct str fen = STR_LOCAL(GAME_FEN_MAX);
	json_t *o = json_object();
	size_t n = 0;
	bool drawn = false;

	set_string(o, "game", q->game.rules->name);
	if (game_setup(&q->game, q->fen, &seen[0], &why) < 0) {
		set_string(o, "fen", q->fen);
		set_string(o, "error", why.text);
		return o;
	}
	while (n < q->n) {
		struct move mv;
		const char *text = q->words[n];

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
	game_write_fen(&q->game, &seen[n], &fen);
	set_string(o, "fen", fen.data);
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
	return o;
}

/* The form of a row, for error messages. */
#define ROW_FORM                                                                                   \
	"a row is an object with \"game\" and, if needed, \"options\", \"fen\" and \"moves\""

/* The strings of an array: v[0], v[1] … of at most `most`.  Missing and null are an
 * empty one. */
static int read_strings(const json_t *row, const char *key, const char **v, size_t most, size_t *n,
                        struct err *e)
{
	json_t *list = json_object_get(row, key), *item;
	size_t i;

	*n = 0;
	if (list && !json_is_null(list) && (!json_is_array(list) || json_array_size(list) > most))
		return err_set(e, ERR_BAD, "%s must be an array of at most %zu strings", key, most);
	json_array_foreach(list, i, item) {
		if (!json_is_string(item))
			return err_set(e, ERR_BAD,
			               "%s must be an array of strings; item %zu is none", key,
			               i + 1);
		v[(*n)++] = json_string_value(item);
	}
	return 0;
}

/* One row of a batch; its strings live as long as row. */
static int read_row(const json_t *row, struct game_words *q, struct err *e)
{
	const json_t *name = json_object_get(row, "game"), *fen = json_object_get(row, "fen");
	const char *options[OPTIONS_MAX];
	size_t n = 0;

	if (!json_is_object(row) || !name)
		return err_set(e, ERR_BAD, ROW_FORM);
	if (!json_is_string(name))
		return err_set(e, ERR_BAD, "game must be a string");
	if (fen && !json_is_string(fen) && !json_is_null(fen))
		return err_set(e, ERR_BAD, "fen must be a string or null");
	q->fen = json_string_value(fen);
	int rc = game_words_set_game(q, json_string_value(name), e);
	if (rc == 0)
		rc = read_strings(row, "options", options, OPTIONS_MAX, &n, e);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = game_option(&q->game, options[i], strlen(options[i]), e);
	return rc == 0 ? read_strings(row, "moves", q->words, GAME_WORDS_MAX, &q->n, e) : rc;
}

static json_t *error_json(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static json_t *error_json(const char *fmt, ...)
{
	char text[600];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	return json_pack("{s:s}", "error", text);
}

static json_t *answer_line(const char *line, size_t len, struct game_words *q)
{
	json_error_t where;
	struct err e = { 0 };

	if (len > LINE_MAX_BYTES)
		return error_json("the line is longer than %d bytes", LINE_MAX_BYTES);
	if (memchr(line, '\0', len))
		return error_json("the line holds a NUL byte");
	if (!line[strspn(line, " \t\r")])
		return error_json("the line is blank; " ROW_FORM);
	json_auto_t *row = json_loads(line, 0, &where);
	if (!row)
		return error_json("not JSON: %s", where.text);
	memset(q, 0, sizeof *q);
	return read_row(row, q, &e) == 0 ? describe_position(q) : error_json("%s", e.text);
}

static void print_json(json_t *o)
{
	AUTO(mem_free) char *text = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER);

	puts(text ? text : "{\"error\":\"the answer is not UTF-8\"}");
	json_decref(o);
}

/* The next line of standard input without its newline, at most LINE_MAX_BYTES and one
 * byte of it; false at the end.  line[*len] is '\0'. */
static bool read_line(char *line, size_t *len)
{
	int c = getchar_unlocked();

	if (c == EOF)
		return false;
	for (*len = 0; c != EOF && c != '\n'; c = getchar_unlocked())
		if (*len <= LINE_MAX_BYTES)
			line[(*len)++] = (char)c;
	line[*len] = '\0';
	return true;
}

/* Each line gets one line, at once: the other program may wait for it. */
static int run_batch(void)
{
	AUTO(mem_free) struct game_words *q = mem_alloc(sizeof *q);
	AUTO(mem_free) char *line = mem_alloc(LINE_MAX_BYTES + 2);
	bool written = true;
	size_t len;

	while (written && read_line(line, &len)) {
		print_json(answer_line(line, len, q));
		written = fflush(stdout) == 0;
	}
	return 0;
}

int prog_position(const struct prog_options *, int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--batch") == 0)
		return argc == 2 ? run_batch() : prog_refuse_word(argv, argv[2]);
	AUTO(mem_free) struct game_words *q = mem_alloc(sizeof *q);
	int code = game_words_read(argc, argv, NULL, q);
	if (code == 0) {
		json_t *out = describe_position(q);

		code = json_is_string(json_object_get(out, "error")) ? EX_DATAERR : 0;
		print_json(out);
	}
	return code;
}
