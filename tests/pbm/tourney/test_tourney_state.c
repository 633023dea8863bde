/* What follows from a tournament's document: results, cells, what is followed by a pairing. */
#include <check.h>
#include <string.h>

#include "pbm/tourney/tourney_words.h"
#include "tests/util/suite.h"

static struct tourney_entry entries[] = { { .userid = "alice", .rating = 1700, .first_round = 1 },
	                                  { .userid = "bob", .rating = 1600, .first_round = 1 },
	                                  { .userid = "carol", .rating = 1500, .first_round = 1 } };
static struct tourney_round rounds[] = { { .at = 1 }, { .at = 2 } };

/* Three players, two rounds: alice beats bob, carol has a bye; then carol forfeits to alice, and
 * bob has a bye. */
static struct tourney_game games[] = {
	{ .round = 1,
	  .white = 1,
	  .black = 2,
	  .board = 1,
	  .over = true,
	  .played = true,
	  .points = { 2, 0 } },
	{ .round = 1, .white = 3, .over = true, .points = { 2, 0 } },
	{ .round = 2, .white = 3, .black = 1, .board = 2, .over = true, .points = { 0, 2 } },
	{ .round = 2, .white = 2, .over = true, .points = { 2, 0 } },
};

static struct tourney_doc make(void)
{
	return (struct tourney_doc){ .name = "cup",
		                     .kind = TOURNEY_SWISS,
		                     .state = TOURNEY_RUNNING,
		                     .rounds = 3,
		                     .entry_count = 3,
		                     .entries = entries,
		                     .round_count = 2,
		                     .round = rounds,
		                     .game_count = 4,
		                     .games = games };
}

static const struct {
	struct tourney_game g;
	const char *result, *text;
	char white;
} results[] = {
	{ { .board = 1 }, "", "?", '.' },
	{ { .over = true, .played = true, .points = { 2, 0 } }, "1-0", "20", '1' },
	{ { .over = true, .played = true, .points = { 1, 1 } }, "1/2-1/2", "11", '=' },
	{ { .over = true, .played = true, .points = { 0, 2 } }, "0-1", "02", '0' },
	{ { .over = true, .points = { 2, 0 } }, "+:-", "20f", '+' },
	{ { .over = true, .points = { 0, 2 } }, "-:+", "02f", '-' },
	{ { .over = true, .annulled = true, .played = true }, "*", "*", '*' },
	{ { .over = true, .annulled = true }, "*", "*f", '*' },
};

START_TEST(a_result)
{
	struct arena a = { 0 };
	struct tourney_game g = results[_i].g;
	struct tourney_doc t = make();

	g.round = 1;
	g.white = 1;
	g.black = 2;
	t.games = &g;
	t.game_count = 1;
	ck_assert_str_eq(tourney_result(&g), results[_i].result);
	ck_assert_str_eq(tourney_results_text(&a, &t), results[_i].text);
	ck_assert_int_eq(tourney_mark(&g, 1), results[_i].white);
	arena_release(&a);
}
END_TEST

START_TEST(a_table)
{
	static const char *const cells[3][2] = { { "3w1", "2b+" },
		                                 { "bye+", "1w-" },
		                                 { "1b0", "bye+" } };
	struct arena a = { 0 };
	struct tourney_doc t = make();
	struct tournament_row *rows = tourney_rows(&a, &t);

	ck_assert_int_eq(rows[0].entry, 0);
	ck_assert_int_eq(rows[0].points, 4);
	for (int line = 0; line < 3; line++)
		for (int round = 1; round <= 2; round++) {
			char text[40];
			struct str s = STR_FIXED(text);
			int number = rows[line].entry + 1;

			ck_assert_int_eq(tourney_line_of(&t, rows, number), line + 1);
			tourney_write_cell(&t, rows, number, round, &s);
			/* Who of the two others is second is asked of pbm/tournament. */
			if (rows[1].entry == 2)
				ck_assert_str_eq(text, cells[line][round - 1]);
		}
	arena_release(&a);
}
END_TEST

START_TEST(what_follows)
{
	struct tourney_doc t = make();

	ck_assert(tourney_is_followed(&t, &games[0]));
	ck_assert(!tourney_is_followed(&t, &games[2]));
	ck_assert(tourney_takes_entries(&t));
	ck_assert_uint_eq(tourney_open_games(&t), 0);
	ck_assert_ptr_eq(tourney_game_of(&t, 2), &games[2]);
	ck_assert_ptr_null(tourney_game_of(&t, 0));
	t.round_count = 3;
	ck_assert(!tourney_takes_entries(&t));
	t.kind = TOURNEY_ROUND_ROBIN;
	ck_assert(!tourney_is_followed(&t, &games[0]));
}
END_TEST

/* A game's document, and what is taken from it. */
static const struct {
	enum game_state state;
	const char *result;
	unsigned ply;
	struct tourney_game g;
} taken[] = {
	{ GAME_RUNNING, "*", 5, { .board = 1 } },
	{ GAME_FINISHED, "1-0", 1, { .board = 1, .over = true, .points = { 2, 0 } } },
	{ GAME_FINISHED,
	  "0-1",
	  2,
	  { .board = 1, .over = true, .played = true, .points = { 0, 2 } } },
	{ GAME_FINISHED,
	  "1/2-1/2",
	  2,
	  { .board = 1, .over = true, .played = true, .points = { 1, 1 } } },
	{ GAME_CLOSED, "*", 2, { .board = 1, .over = true, .played = true, .annulled = true } },
};

START_TEST(takes_a_result)
{
	const struct game_doc d = { .state = taken[_i].state,
		                    .result = taken[_i].result,
		                    .ply = taken[_i].ply };
	struct tourney_game g = { .board = 1 };
	const struct tourney_game *wanted = &taken[_i].g;

	ck_assert(tourney_take_result(&g, &d) == wanted->over);
	ck_assert(g.over == wanted->over && g.played == wanted->played &&
	          g.annulled == wanted->annulled);
	ck_assert_int_eq(g.points[0], wanted->points[0]);
	ck_assert_int_eq(g.points[1], wanted->points[1]);
	ck_assert(!tourney_take_result(&g, &d));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tourney_state");
	TCase *t = tcase_create("tourney_state");

	tcase_add_loop_test(t, a_result, 0, (int)(sizeof results / sizeof results[0]));
	tcase_add_loop_test(t, takes_a_result, 0, (int)(sizeof taken / sizeof taken[0]));
	tcase_add_test(t, a_table);
	tcase_add_test(t, what_follows);
	suite_add_tcase(s, t);
	return suite_run(s);
}
