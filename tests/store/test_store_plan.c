/* No statement of the server walks a whole table: the test reads every query plan, on a
 * database that is large enough for the planner to choose a walk if it could. */
#include "pbm/record/match.h"
#include "tests/util/store_site.h"

#include "store/sqlite/sqlite.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define GAMES 10000

static sqlite3 *db;

static void fill_site(void)
{
	struct store *s = store_site_open(STORE_WRITE);
	char names[3][20];

	must(store_begin(s, e));
	for (int64_t b = 1; b <= GAMES; b++) {
		struct game_doc g = sample_game(b);

		snprintf(names[0], sizeof names[0], "p%" PRId64, b % 311);
		snprintf(names[1], sizeof names[1], "p%" PRId64, b % 97);
		snprintf(names[2], sizeof names[2], "game%" PRId64, b % 7);
		g.players[0] = names[0];
		g.players[1] = names[1];
		g.game = names[2];
		if (b % 10) {
			g.state = GAME_FINISHED;
			g.to_move = SEAT_NONE;
			g.result = "1-0";
			g.ended = 1796144400 + b * 7 % 5000;
			g.deadline = 0;
		}
		must(store_game_put(s, &g, e));
	}
	must(store_commit(s, e));
	store_close(s);
}

static void setup(void)
{
	store_site_new();
	fill_site();
	ck_assert_int_eq(sqlite3_open(store_site_path("pbm.db"), &db), SQLITE_OK);
}

static void teardown(void)
{
	sqlite3_close(db);
	store_site_remove();
}

struct plan {
	char text[4000];
	bool scans, sorts;
};

static void read_plan(const char *sql, struct plan *out)
{
	char explain[4000];
	sqlite3_stmt *st;
	struct str text = STR_FIXED(out->text);

	out->scans = out->sorts = false;
	snprintf(explain, sizeof explain, "EXPLAIN QUERY PLAN %s", sql);
	ck_assert_msg(sqlite3_prepare_v2(db, explain, -1, &st, NULL) == SQLITE_OK, "%s: %s", sql,
	              sqlite3_errmsg(db));
	while (sqlite3_step(st) == SQLITE_ROW) {
		const char *step = (const char *)sqlite3_column_text(st, 3);

		str_addf(&text, "%s; ", step);
		/* The few rows that the view has of one board are no table, and values aren't, either,
		 * nor are so many running games. */
		out->scans |= strncmp(step, "SCAN", 4) == 0 && strcmp(step, "SCAN tallied") != 0 &&
		              strcmp(step, "SCAN running") != 0 &&
		              strcmp(step, "SCAN CONSTANT ROW") != 0;
		out->sorts |= strstr(step, "TEMP B-TREE") != NULL;
	}
	sqlite3_finalize(st);
}

START_TEST(no_query_scans)
{
	for (int q = 0; q < DB_QUERIES; q++) {
		const struct db_sql *query = &db_sql[q];
		struct plan plan;

		ck_assert_msg(query->sql != NULL, "query %d has no text", q);
		read_plan(query->sql, &plan);
		if (query->whole)
			continue;
		ck_assert_msg(!plan.scans && !plan.sorts, "%s: %s", query->sql, plan.text);
	}
}
END_TEST

/* The test above can fail: this is a question without its index. */
START_TEST(a_scan_is_noticed)
{
	struct plan plan;

	read_plan("SELECT board FROM games WHERE deadline <= 5", &plan);
	ck_assert(plan.scans);
	read_plan("SELECT board FROM lists WHERE who = 'p1' ORDER BY ended", &plan);
	ck_assert(plan.sorts);
}
END_TEST

/* Triggers are statements too. */
START_TEST(triggers_do_not_scan)
{
	static const char *const bodies[] = {
		"INSERT INTO lists SELECT * FROM lists_due WHERE board = 5",
		"DELETE FROM lists WHERE board = 5 AND who IN ('', lower('p1'), lower('p2'))",
		"UPDATE meta SET value = 6 WHERE key = 'next_board' AND value <= 5",
		"INSERT INTO tallies SELECT list, key, 1, won, lost, drawn FROM tallied"
		" WHERE board = 5 ON CONFLICT(list, key) DO UPDATE SET n = n + 1",
		"INSERT INTO placed SELECT list, ended, board FROM placed_due WHERE board = 5",
		"DELETE FROM placed WHERE (list, ended, board) IN"
		" (SELECT list, ended, board FROM placed_due WHERE board = 5)",
	};

	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		struct plan plan;

		read_plan(bodies[i], &plan);
		ck_assert_msg(!plan.scans && !plan.sorts, "%s: %s", bodies[i], plan.text);
	}
}
END_TEST

static int stop_after(const struct game_row *, void *arg)
{
	return --*(int *)arg == 0;
}

START_TEST(answers_on_a_full_site)
{
	struct store *s = store_site_open(STORE_READ);
	int left = 5;

	must(store_games(s, "p1", "game1", GAMES_FINISHED, 100, 0, stop_after, &left, e));
	ck_assert_int_le(left, 4);
	left = 5;
	must(store_games(s, NULL, NULL, GAMES_OPEN, 100, 900, stop_after, &left, e));
	ck_assert_int_eq(left, 0);
	store_close(s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_plan");
	TCase *t = tcase_create("plan");

	tcase_add_unchecked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, no_query_scans);
	tcase_add_test(t, a_scan_is_noticed);
	tcase_add_test(t, triggers_do_not_scan);
	tcase_add_test(t, answers_on_a_full_site);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
