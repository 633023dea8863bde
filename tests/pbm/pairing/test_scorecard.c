/* Tells who gets White, from the colours that two players have had, as a table. */
#include <check.h>
#include <string.h>

#include "pbm/pairing/scorecard.h"
#include "tests/util/suite.h"

/* Colours of the higher and of the lower, the latest last; the board; who has White; how many
 * of the two get a colour against the rules. */
static const struct {
	const char *higher, *lower;
	int board;
	char wanted;
	int breaches;
} rows[] = {
	/* the lot, board by board */
	{ "", "", 0, 'H', 0 },
	{ "", "", 1, 'L', 0 },
	{ "", "", 2, 'H', 0 },
	/* each what he wants */
	{ "W", "B", 0, 'L', 0 },
	{ "B", "W", 0, 'H', 0 },
	{ "WW", "BB", 1, 'L', 0 },
	/* the greater difference */
	{ "W", "WBWBB", 0, 'L', 0 },
	{ "WBW", "WBWW", 0, 'H', 0 },
	{ "BWB", "BB", 0, 'L', 0 },
	{ "WB", "W", 0, 'H', 0 },
	{ "W", "WB", 0, 'L', 0 },
	{ "", "B", 0, 'L', 0 },
	{ "B", "", 1, 'H', 0 },
	/* the same difference: who had a colour twice running */
	{ "WBW", "BWW", 0, 'H', 0 },
	{ "BWW", "WBW", 0, 'L', 0 },
	{ "BBWW", "WBWB", 0, 'L', 0 },
	{ "WBWB", "WWBB", 0, 'L', 0 },
	/* the latest game in which they differed */
	{ "WBB", "BWB", 0, 'H', 0 },
	{ "WBBW", "BWWB", 0, 'L', 0 },
	{ "BWWB", "WBWB", 0, 'L', 0 },
	{ "WBWB", "BWWB", 0, 'H', 0 },
	{ "BWB", "B", 0, 'H', 0 },
	/* the same colours all the time: the higher gets the other one */
	{ "W", "W", 0, 'L', 0 },
	{ "B", "B", 1, 'H', 0 },
	{ "WB", "WBWB", 0, 'H', 0 },
	/* nobody gets a colour the third time running, whoever wants it more */
	{ "WBW", "BBWW", 0, 'H', 0 },
	{ "BBWW", "BWW", 0, 'H', 1 },
	{ "WW", "WW", 0, 'L', 1 },
	{ "WWBWW", "WBWW", 0, 'L', 1 },
	{ "BWBB", "WBBWBB", 0, 'H', 1 },
	{ "WBBWBB", "BWBB", 0, 'H', 1 },
};

static struct scorecard card(const char *colours, signed char *room)
{
	struct scorecard s = { .n = (int)strlen(colours), .colour = room };

	for (int i = 0; i < s.n; i++) {
		room[i] = colours[i] == 'W' ? COLOUR_WHITE : COLOUR_BLACK;
		s.difference += room[i];
	}
	return s;
}

START_TEST(who_has_white)
{
	signed char room[2][20];
	struct scorecard higher = card(rows[_i].higher, room[0]),
			 lower = card(rows[_i].lower, room[1]);
	bool white = scorecard_higher_has_white(&higher, &lower, rows[_i].board, 2);

	ck_assert_msg(white == (rows[_i].wanted == 'H'), "row %d", _i);
	ck_assert_int_eq(scorecard_least_breaches(&higher, &lower), rows[_i].breaches);
	ck_assert_int_eq(white ? scorecard_breaches(&higher, &lower)
	                       : scorecard_breaches(&lower, &higher),
	                 rows[_i].breaches);
}
END_TEST

/* Points of White (the first entry) and Black, who of them then had a free point: 1, 2. */
static const struct {
	int points[2], black;
	bool played;
	int free;
} frees[] = {
	{ { 2, 0 }, 1, true, 0 },           { { 2, 0 }, 1, false, 1 },
	{ { 0, 2 }, 1, false, 2 },          { { 1, 1 }, 1, false, 0 },
	{ { 0, 0 }, 1, false, 0 },          { { 2, 0 }, PAIRING_BYE, true, 1 },
	{ { 1, 0 }, PAIRING_BYE, true, 0 },
};

START_TEST(who_had_a_free_point)
{
	struct arena a = { 0 };
	const struct pairing_entry entries[2] = { 0 };
	const struct pairing_game game = { .round = 1,
		                           .white = 0,
		                           .black = frees[_i].black,
		                           .points = { frees[_i].points[0], frees[_i].points[1] },
		                           .played = frees[_i].played };
	const struct pairing t = {
		.best_of = 1, .entries = entries, .n = 2, .games = &game, .n_games = 1
	};
	struct scorecards s = scorecard_before(&t, 2, &a);

	ck_assert_int_eq(s.v[0].free_point + 2 * s.v[1].free_point, frees[_i].free);
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("scorecard");
	TCase *t = tcase_create("colours");

	tcase_add_loop_test(t, who_has_white, 0, (int)(sizeof rows / sizeof rows[0]));
	tcase_add_loop_test(t, who_had_a_free_point, 0, (int)(sizeof frees / sizeof frees[0]));
	suite_add_tcase(s, t);
	return suite_run(s);
}
