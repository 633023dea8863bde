/* pbm position and pbm perft as other programs use them: rows in, rows out, in
 * order, exit 0 whatever the rows are. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/str.h"
#include "tests/util/util.h"

static const char *pbm(void)
{
	return getenv("PBM") ? getenv("PBM") : "build/pbm";
}

static char *batch(const char *input)
{
	int status;
	char *out = util_pbm((const char *[]){ pbm(), "position", "--batch", NULL }, input,
	                     &status);

	ck_assert_int_eq(status, 0);
	return out;
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

/* "reversed,balanced" as ["-reversed","-balanced"]. */
static json_t *options_of(const char *mode)
{
	json_t *list = json_array();

	while (*mode) {
		size_t n = strcspn(mode, ",");

		json_array_append_new(list, json_sprintf("-%.*s", (int)n, mode));
		mode += n + (mode[n] == ',');
	}
	return list;
}

static const struct {
	const char *file, *game, *move;
} files[] = {
	{ "avalanche_games.jsonl", "avalanchechess", "turn" },
	{ "avalanche_special.jsonl", "avalanchechess", "turn" },
	{ "losing_games.jsonl", NULL, "move" },
	{ "allmate_games.jsonl", "allmate", "move" },
};

static json_t *read_rows(const char *name)
{
	char *text = util_read("tests/data/games", name), *rest = text, *line;
	json_t *rows = json_array();

	ck_assert_msg(text != NULL, "%s is missing", name);
	while ((line = strsep(&rest, "\n")))
		if (*line)
			json_array_append_new(rows, json_loads(line, 0, NULL));
	free(text);
	return rows;
}

static void check_row(const json_t *row, const json_t *answer)
{
	const json_t *ruling = json_object_get(row, "legal_ruling");
	const json_t *legal = ruling ? ruling : json_object_get(row, "legal");
	const char *fen = text_of(row, "result_fen_ruling");
	const char *error = text_of(answer, "error"), *why = text_of(row, "reason");

	fen = *fen ? fen : text_of(row, "result_fen");
	if (strstr(error, "The game is over") && strcmp(why, "dead bishops") == 0)
		return; /* a row that begins in a finished position */
	ck_assert_msg(json_is_false(legal) == (*error != '\0'), "%s %s: %s", text_of(row, "fen"),
	              text_of(row, "turn"), error);
	if (!*error)
		ck_assert_str_eq(text_of(answer, "fen"), fen);
}

START_TEST(rows_come_back_right)
{
	json_t *rows = read_rows(files[_i].file), *row;
	struct str in;
	size_t i;

	str_init(&in, 1 << 24);
	json_array_foreach(rows, i, row) {
		const char *game = files[_i].game ? files[_i].game : text_of(row, "game");
		json_t *q = json_pack("{s:s, s:o, s:s, s:[s]}", "game", game, "options",
		                      options_of(text_of(row, "mode")), "fen", text_of(row, "fen"),
		                      "moves", text_of(row, files[_i].move));
		char *line = json_dumps(q, JSON_COMPACT);

		str_addf(&in, "%s\n", line);
		free(line);
		json_decref(q);
	}
	char *out = batch(in.data), *rest = out;
	json_array_foreach(rows, i, row) {
		json_t *answer = json_loads(strsep(&rest, "\n"), 0, NULL);

		ck_assert_ptr_nonnull(answer);
		check_row(row, answer);
		json_decref(answer);
	}
	ck_assert_str_eq(rest, "");
	free(out);
	str_release(&in);
	json_decref(rows);
}
END_TEST

static const struct {
	const char *in, *has;
} odd[] = {
	{ "{\"game\":\"chess\",\"moves\":[\"e4\",\"e5\",\"Ke3\"]}", "\"at\":3" },
	{ "{\"game\":\"chess\",\"moves\":[\"e4\",\"e5\",\"Ke3\"]}",
	  "4p3/4P3/8/PPPP1PPP/RNBQKBNR w" },
	{ "{\"game\":\"nonsense\"}", "\"error\":" },
	{ "not json", "\"error\":\"not JSON" },
	{ "[]", "\"error\":" },
	{ "{\"game\":\"chess\",\"moves\":[1]}", "\"error\":" },
	{ "{\"game\":\"chess\",\"options\":[\"-x\"]}", "\"error\":" },
	{ "{\"game\":\"suicide\",\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}", "\"error\":" },
	{ "{\"game\":\"suicide\",\"fen\":\"rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1\"}",
	  "castling" },
	{ "{\"game\":\"chess\",\"fen\":null,\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\"]}",
	  "\"legal\":[],\"san\":[],\"result\":\"0-1\",\"reason\":\"checkmate\",\"check\":true" },
	{ "{\"game\":\"allmate\",\"moves\":[\"b4\",\"b5\",\"Nc3\"]}",
	  "\"removed\":[[\"b5\",\"p\"]]" },
	{ "{\"game\":\"chess\",\"moves\":[\"e4\",\"d5\",\"exd5\"]}",
	  "\"captured\":[[\"d5\",\"p\"]]" },
	{ "{\"game\":\"avalanche\",\"moves\":[\"e2e4,d7d6\"]}", "\"turn\":\"black\"" },
	{ "", "{\"error\":\"the line is blank; a row is an object" },
	{ " \t", "{\"error\":\"the line is blank" },
	{ "3", "{\"error\":\"not JSON" },
	{ "{}", "{\"error\":\"a row is an object" },
	{ "{\"game\":null}", "{\"error\":\"game must be a string" },
	{ "{\"game\":7}", "{\"error\":\"game must be a string" },
	{ "{\"game\":\"chess\",\"fen\":7}", "{\"error\":\"fen must be a string or null" },
	{ "{\"game\":\"chess\",\"fen\":[]}", "{\"error\":\"fen must be a string or null" },
	{ "{\"game\":\"chess\",\"moves\":\"e4\"}", "{\"error\":\"moves must be an array" },
	{ "{\"game\":\"chess\",\"moves\":{\"e4\":1}}", "{\"error\":\"moves must be an array" },
	{ "{\"game\":\"chess\",\"moves\":[\"e4\",null]}",
	  "{\"error\":\"moves must be an array of strings; item 2 is none" },
	{ "{\"game\":\"chess\",\"options\":\"-x\"}", "{\"error\":\"options must be an array" },
	{ "{\"game\":\"chess\",\"options\":[7]}", "{\"error\":\"options must be an array" },
	{ "{\"game\":\"chess\",\"options\":null,\"fen\":null,\"moves\":null}",
	  "\"turn\":\"white\"" },
	{ "{\"game\":\"chess\",\"moves\":[\"e\\u00004\"]}", "{\"error\":\"not JSON" },
	{ "\xff", "{\"error\":" },
};

START_TEST(odd_rows_get_their_answer)
{
	char *line = mem_alloc(strlen(odd[_i].in) + 2);

	sprintf(line, "%s\n", odd[_i].in);
	char *out = batch(line);
	ck_assert_msg(strstr(out, odd[_i].has) != NULL, "%s: %s", odd[_i].in, out);
	ck_assert_ptr_eq(strchr(out, '\n'), out + strlen(out) - 1);
	free(out);
	free(line);
}
END_TEST

/* One answer for each line, in order, whatever the lines hold. */
START_TEST(nul_bytes_and_long_lines_get_their_answer)
{
	char *line = mem_alloc(500);
	int status;

	snprintf(
		line, 500,
		"{ printf '{\"game\":\"chess\"}\\0\\n\\0\\n'; head -c 3000000 /dev/zero | tr '\\0' a;"
		" printf '\\n\\n{\"game\":\"suicide\"}'; } | %s position --batch | cut -c -60",
		pbm());
	char *out = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_str_eq(out,
	                 "{\"error\":\"the line holds a NUL byte\"}\n"
	                 "{\"error\":\"the line holds a NUL byte\"}\n"
	                 "{\"error\":\"the line is longer than 1048576 bytes\"}\n"
	                 "{\"error\":\"the line is blank; a row is an object with \\\"game\\\n"
	                 "{\"game\":\"suicide\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/\n");
	free(out);
	free(line);
}
END_TEST

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w "

START_TEST(perft_ends_with_nodes)
{
	int status;
	char *out = util_pbm((const char *[]){ pbm(), "perft", "suicide", "--divide", "3", NULL },
	                     NULL, &status);

	ck_assert_int_eq(status, 0);
	ck_assert_ptr_nonnull(strstr(out, "e2e4: "));
	ck_assert_str_eq(strstr(out, "nodes "), "nodes 8067\n");
	free(out);
	/* Other programs write castling rights for each game. */
	out = util_pbm((const char *[]){ pbm(), "perft", "suicide", "--fen", START "KQkq - 0 1",
	                                 "1", NULL },
	               NULL, &status);
	ck_assert_str_eq(out, "nodes 20\n");
	ck_assert_int_eq(status, 0);
	free(out);
	out = util_pbm(
		(const char *[]){ pbm(), "perft", "suicide", "--fen", START "- e9 0 1", "1", NULL },
		NULL, &status);
	ck_assert_str_eq(out, "");
	ck_assert_int_eq(status, 65);
	free(out);
	out = util_pbm((const char *[]){ pbm(), "perft", "suicide", NULL }, NULL, &status);
	ck_assert_int_eq(status, 64);
	free(out);
}
END_TEST

/* A single position; a text that is none ends with EX_DATAERR. */
static const struct {
	const char *fen, *says;
	int status;
} single[] = {
	{ "7k/4P3/8/8/8/8/8/K7 w - - 0 1", "\"turn\":\"white\"", 0 },
	{ "7k", "\"error\"", 65 },
};

START_TEST(a_single_position_is_described)
{
	int status;
	char *out = util_pbm(
		(const char *[]){ pbm(), "position", "chess", "--fen", single[_i].fen, NULL }, NULL,
		&status);

	ck_assert_int_eq(status, single[_i].status);
	ck_assert_msg(strstr(out, single[_i].says) != NULL, "%s", out);
	free(out);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("position");

	tcase_add_loop_test(t, rows_come_back_right, 0, ROWS(files));
	tcase_add_loop_test(t, odd_rows_get_their_answer, 0, ROWS(odd));
	tcase_add_test(t, nul_bytes_and_long_lines_get_their_answer);
	tcase_add_test(t, perft_ends_with_nodes);
	tcase_add_loop_test(t, a_single_position_is_described, 0, ROWS(single));
	return util_main(t);
}
