/* Positions, moves and what follows from them, a row a case. */
#include "tests/util/rows.h"

static void check_text(const char *got, const char *expected, const char *what, const char *where)
{
	ck_assert_msg(strcmp(got, expected) == 0, "%s: %s is %s, not %s", where, what, got,
	              expected);
}

static void check_text_n(const char *got, const char *expected, size_t n, const char *what,
                         const char *where)
{
	ck_assert_msg(strlen(expected) == n && strncmp(got, expected, n) == 0,
	              "%s: %s is %s, not %s", where, what, got, expected);
}

static void check_fen(const struct game *g, const struct pos *p, const char *expected,
                      const char *where)
{
	char buf[120];
	struct str s = STR_FIXED(buf);

	game_write_fen(g, p, &s);
	check_text(s.data, expected, "the position", where);
}

/* The reasons the rows give, where ours are worded otherwise. */
static const char *const reasons[][2] = {
	{ "no men", "no men left" },
	{ "dead bishops", "dead position: the bishops never meet" },
	{ "self-check by push", "a push left the pusher's own king attacked" },
	{ "promotion checks the pusher", "a push left the pusher's own king attacked" },
};

static void check_outcome(const struct game *g, const struct pos *p, const char *result,
                          const char *reason, const char *where)
{
	struct outcome o;
	struct moves legal;

	game_outcome(g, p, &o);
	if (result)
		check_text(result_text(o.result), result, "the result", where);
	game_legal(g, p, &legal);
	ck_assert_msg((legal.n == 0) == (o.result != RESULT_RUNNING),
	              "%s: %zu turns in a position with result %s", where, legal.n,
	              result_text(o.result));
	if (!reason)
		return;
	if (strcmp(reason, "pass due") == 0) {
		ck_assert_msg(legal.n == 1 && legal.v[0].from == NO_SQUARE, "%s: no pass", where);
		return;
	}
	for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
		if (strcmp(reason, reasons[i][0]) == 0)
			reason = reasons[i][1];
	check_text(o.why ? o.why : "", reason, "the reason", where);
}

static bool read_turn(const struct game *g, const struct pos *p, const char *text, struct move *out,
                      enum read_refusal *why)
{
	struct err e = { 0 };
	struct pos before = *p;
	bool ok = game_read_move(g, p, text, strlen(text), out, why, &e) == 0;

	ck_assert(memcmp(&before, p, sizeof *p) == 0);
	ck_assert_msg(ok || strlen(e.text) > 10, "%s: refused without a sentence", text);
	return ok;
}

/* In a finished position rows list moves only to show them. */
static bool find_uci(const struct game *g, const struct pos *p, const char *uci, struct move *out)
{
	struct moves legal;

	game_turns(g, p, &legal);
	for (size_t i = 0; i < legal.n; i++) {
		char buf[40];
		struct str s = STR_FIXED(buf);

		game_write_uci(g, p, &legal.v[i], &s);
		*out = legal.v[i];
		if (strcmp(s.data, uci) == 0)
			return true;
	}
	return false;
}

static void check_san(const struct game *g, const struct pos *p, const struct move *m,
                      const char *san, bool running, const char *where)
{
	char buf[40];
	struct str s = STR_FIXED(buf);
	struct move again;

	game_write_san(g, p, m, &s);
	/* The rows' sources leave the check signs out. */
	if (san)
		check_text_n(s.data, san, strcspn(s.data, "+#"), "the SAN", where);
	ck_assert_msg(!running || (read_turn(g, p, s.data, &again, NULL) &&
	                           memcmp(&again, m, sizeof again) == 0),
	              "%s: %s is not read back", where, s.data);
}

/* "be3", a man and its square. */
static void man_write(const struct man *man, struct str *s)
{
	static const char letters[2][7] = { "PNBRQK", "pnbrqk" };

	str_add_char(s, letters[man->color][man->type]);
	str_addf(s, "%c%c", 'a' + man->square % 8, '1' + man->square / 8);
}

static void check_men(const struct man *men, size_t n, const json_t *expected, const char *what,
                      const char *where)
{
	size_t i;
	json_t *v;

	ck_assert_msg(n == json_array_size(expected), "%s: %zu %s", where, n, what);
	json_array_foreach(expected, i, v) {
		bool found = false;

		for (size_t k = 0; k < n; k++) {
			char buf[8];
			struct str s = STR_FIXED(buf);

			man_write(&men[k], &s);
			found |= strcmp(s.data, json_string_value(v)) == 0;
		}
		ck_assert_msg(found, "%s: %s not %s", where, json_string_value(v), what);
	}
}

/* If nothing else can leave the board, "captured" is the man that a rule removed. */
static void check_effects(const json_t *row, const struct effects *fx, const char *where)
{
	const json_t *removed = json_object_get(row, "removed");
	const json_t *captured = json_object_get(row, "captured");

	if (!removed && !captured)
		return;
	check_men(fx->removed, fx->removed_count, removed ? removed : captured, "removed", where);
	if (removed && captured)
		check_men(&fx->captured, fx->captured.type != NO_PIECE, captured, "captured",
		          where);
}

/* The rest of a list of turns must be all of them. */
static void check_listed(const struct game *g, const struct pos *p, const json_t *list,
                         const char *where)
{
	size_t i;
	json_t *v;

	json_array_foreach(list, i, v) {
		struct move m;

		ck_assert_msg(read_turn(g, p, json_string_value(v), &m, NULL), "%s: %s", where,
		              json_string_value(v));
	}
}

/* "1/2 (diad)", or a result as PGN writes it. */
static void check_status(const struct game *g, const struct pos *p, const json_t *row,
                         const char *where)
{
	const char *status = row_text(row, "status");
	bool diad = status && strstr(status, "diad");
	bool draw = status && strncmp(status, "1/2", 3) == 0;

	if (status)
		check_outcome(g, p, draw ? "1/2-1/2" : status,
		              diad   ? "two bare kings"
		              : draw ? "stalemate"
		                     : NULL,
		              where);
	if (json_object_get(row, "check"))
		ck_assert_msg(game_in_check(g, p) == row_bool(row, "check", false), "%s: check",
		              where);
}

static void check_move(const json_t *row, const char *where)
{
	static const char *const results[] = { "outcome", "score", "result" };
	const char *result = NULL;
	struct effects fx;

	struct game g = row_game(row, where);
	struct pos p = row_position(&g, row_text(row, "fen"), where), next = p;
	const char *text = row_text(row, json_object_get(row, "turn") ? "turn" : "move");
	long count = row_count(row);
	struct outcome o;
	struct moves legal;
	struct move m;
	enum read_refusal why;
	bool ok = read_turn(&g, &p, text, &m, &why);

	game_outcome(&g, &p, &o);
	game_turns(&g, &p, &legal);
	ck_assert_msg(count < 0 || (size_t)count == legal.n, "%s: %zu turns, not %ld", where,
	              legal.n, count);
	check_listed(&g, &p, json_object_get(row, "legal_moves"), where);
	if (!row_bool(row, "legal", true)) {
		ck_assert_msg(!ok, "%s: %s was read", where, text);
		return;
	}
	if (o.result != RESULT_RUNNING) {
		ck_assert_msg(!ok && why == READ_OVER, "%s: played on after the end", where);
		ok = find_uci(&g, &p, text, &m);
	}
	ck_assert_msg(ok, "%s: %s was refused", where, text);
	check_san(&g, &p, &m, row_text(row, "san"), o.result == RESULT_RUNNING, where);
	game_apply(&g, &next, &m, &fx);
	check_fen(&g, &next, row_text(row, "result_fen"), where);
	check_effects(row, &fx, where);
	for (size_t i = 0; i < 3 && !result; i++)
		result = row_text(row, results[i]);
	check_outcome(&g, &next, result, row_text(row, "reason"), where);
	check_status(&g, &next, row, where);
}

/* All legal turns, each with the men it removes. */
static void check_removals(const json_t *row, const char *where)
{
	struct game g = row_game(row, where);
	struct pos p = row_position(&g, row_text(row, "fen"), where);
	json_t *moves = json_object_get(row, "moves"), *removed;
	struct moves legal;
	const char *uci;

	game_legal(&g, &p, &legal);
	ck_assert_msg(legal.n == json_object_size(moves), "%s: %zu turns", where, legal.n);
	json_object_foreach(moves, uci, removed) {
		const char *at = json_string_value(removed);
		json_t *list = json_array();
		struct pos next = p;
		struct effects fx;
		struct move m;

		ck_assert_msg(read_turn(&g, &p, uci, &m, NULL), "%s: %s", where, uci);
		game_apply(&g, &next, &m, &fx);
		for (; *at; at += at[3] == ',' ? 4 : 3)
			json_array_append_new(list, json_stringn(at, 3));
		check_men(fx.removed, fx.removed_count, list, "removed", where);
		json_decref(list);
	}
}

static void check_result(const json_t *row, const char *where)
{
	struct game g = row_game(row, where);
	struct pos p = row_position(&g, row_text(row, "fen"), where);

	check_outcome(&g, &p, row_text(row, "result"), NULL, where);
}

/* The other moves at a ply, in any order. */
static void check_alternatives(const struct game *g, const struct pos *p, const json_t *list,
                               const char *where)
{
	struct moves legal;
	size_t i;
	json_t *san;

	game_legal(g, p, &legal);
	ck_assert_msg(legal.n == json_array_size(list) + 1, "%s: alternatives", where);
	json_array_foreach(list, i, san) {
		struct move m;

		ck_assert_msg(read_turn(g, p, json_string_value(san), &m, NULL), "%s: %s", where,
		              json_string_value(san));
	}
}

static void check_forced(const struct game *g, const struct pos *p, const json_t *row, unsigned ply,
                         const char *where)
{
	const json_t *forced = json_object_get(row, "forced_white_plies");
	const json_t *unforced = json_object_get(row, "unforced_white");
	struct moves legal;
	size_t i;
	json_t *v;

	game_legal(g, p, &legal);
	json_array_foreach(forced, i, v)
		ck_assert_msg(json_integer_value(v) != ply || legal.n == 1, "%s: ply %u", where,
		              ply);
	json_array_foreach(unforced, i, v)
		if (json_integer_value(json_object_get(v, "ply")) == ply)
			check_alternatives(g, p, json_object_get(v, "alternatives"), where);
}

static void check_line(const json_t *row, const char *where)
{
	struct game g = { .rules = rules_find("antichess", 9, NULL) };
	struct pos p = row_position(&g, NULL, where);
	const json_t *moves = json_object_get(row, "moves"), *ucis = json_object_get(row, "uci");
	const json_t *error = json_object_get(row, "error");
	size_t i;
	json_t *san;

	json_array_foreach(moves, i, san) {
		const char *uci = json_string_value(json_array_get(ucis, i));
		struct move m, again;

		check_forced(&g, &p, row, (unsigned)i + 1, where);
		ck_assert_msg(read_turn(&g, &p, json_string_value(san), &m, NULL), "%s: %s", where,
		              json_string_value(san));
		check_san(&g, &p, &m, json_string_value(san), true, where);
		ck_assert_msg(read_turn(&g, &p, uci, &again, NULL) &&
		                      memcmp(&m, &again, sizeof m) == 0,
		              "%s: %s", where, uci);
		game_apply(&g, &p, &m, NULL);
	}
	check_fen(&g, &p, row_text(row, "final_fen"), where);
	check_outcome(&g, &p, row_text(row, "result_antichess"), NULL, where);
	if (error) {
		struct move m;

		ck_assert_msg(!read_turn(&g, &p, row_text(error, "move"), &m, NULL), "%s", where);
		ck_assert(game_perft(&g, &p, 1) ==
		          json_array_size(json_object_get(error, "legal_moves")));
	}
}

static const struct {
	const char *path;
	row_test *test;
} tables[] = {
	{ "tests/data/games/losing_games.jsonl", check_move },
	{ "tests/data/games/losing_results.jsonl", check_result },
	{ "tests/data/games/avalanche_games.jsonl", check_move },
	{ "tests/data/games/avalanche_special.jsonl", check_move },
	{ "tests/data/games/bronstein.jsonl", check_line },
	{ "tests/data/games/allmate_games.jsonl", check_move },
	{ "tests/data/games/allmate_special.jsonl", check_move },
	{ "tests/data/games/allmate_legal.jsonl", check_removals },
	{ "tests/data/games/connected_games.jsonl", check_move },
	{ "tests/data/games/connected_special.jsonl", check_move },
	{ "tests/data/games/vanishing.jsonl", check_move },
};

START_TEST(vectors)
{
	rows_run(tables[_i].path, tables[_i].test);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("vectors");
	TCase *t = tcase_create("vectors");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, vectors, 0, sizeof tables / sizeof tables[0]);
	suite_add_tcase(s, t);

	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);

	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	return failed != 0;
}
