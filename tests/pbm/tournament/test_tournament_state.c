/* Values that follow from a tournament's document: results, cells, what is followed by a
 * pairing. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "pbm/tournament/tournament_roster.h"
#include "pbm/tournament/tournament_words.h"
#include "tests/util/suite.h"

static struct tournament_entry entries[] = {
	{ .userid = "alice", .rating = 1700, .first_round = 1 },
	{ .userid = "bob", .rating = 1600, .first_round = 1 },
	{ .userid = "carol", .rating = 1500, .first_round = 1 }
};
static struct tournament_round rounds[] = { { .at = 1 }, { .at = 2 } };

/* Three players, two rounds: alice beats bob, carol has a bye; then carol forfeits to alice, and
 * bob has a bye. */
static struct tournament_game games[] = {
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

static struct tournament_doc make(void)
{
	return (struct tournament_doc){ .name = "cup",
		                        .kind = TOURNAMENT_SWISS,
		                        .state = TOURNAMENT_RUNNING,
		                        .rounds = 3,
		                        .entry_count = 3,
		                        .entries = entries,
		                        .round_count = 2,
		                        .round = rounds,
		                        .game_count = 4,
		                        .games = games };
}

static const struct {
	struct tournament_game g;
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
	struct tournament_game g = results[_i].g;
	struct tournament_doc t = make();

	g.round = 1;
	g.white = 1;
	g.black = 2;
	t.games = &g;
	t.game_count = 1;
	ck_assert_str_eq(tournament_result(&g), results[_i].result);
	ck_assert_str_eq(tournament_results_text(&a, &t), results[_i].text);
	ck_assert_int_eq(tournament_mark(&g, 1), results[_i].white);
	arena_release(&a);
}
END_TEST

START_TEST(a_table)
{
	static const char *const cells[3][2] = { { "3w1", "2b+" },
		                                 { "bye+", "1w-" },
		                                 { "1b0", "bye+" } };
	struct arena a = { 0 };
	struct tournament_doc t = make();
	struct pairing_row *rows = tournament_rows(&a, &t);

	ck_assert_int_eq(rows[0].entry, 0);
	ck_assert_int_eq(rows[0].points, 4);
	for (int line = 0; line < 3; line++)
		for (int round = 1; round <= 2; round++) {
			char text[40];
			struct str s = STR_FIXED(text);
			int number = rows[line].entry + 1;

			ck_assert_int_eq(tournament_line_of(&t, rows, number), line + 1);
			tournament_write_cell(&t, rows, number, round, &s);
			/* pbm/tournament decides who of the two others is second. */
			if (rows[1].entry == 2)
				ck_assert_str_eq(text, cells[line][round - 1]);
		}
	arena_release(&a);
}
END_TEST

START_TEST(what_follows)
{
	struct tournament_doc t = make();

	ck_assert(tournament_is_followed(&t, &games[0]));
	ck_assert(!tournament_is_followed(&t, &games[2]));
	ck_assert(tournament_takes_entries(&t));
	ck_assert_uint_eq(tournament_open_games(&t), 0);
	ck_assert_ptr_eq(tournament_game_of(&t, 2), &games[2]);
	ck_assert_ptr_null(tournament_game_of(&t, 0));
	t.round_count = 3;
	ck_assert(!tournament_takes_entries(&t));
	t.kind = TOURNAMENT_ROUND_ROBIN;
	ck_assert(!tournament_is_followed(&t, &games[0]));
}
END_TEST

/* A game's document, and what is taken from it. */
static const struct {
	enum game_state state;
	const char *result;
	unsigned ply;
	struct tournament_game g;
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
	struct tournament_game g = { .board = 1 };
	const struct tournament_game *wanted = &taken[_i].g;

	ck_assert(tournament_take_result(&g, &d) == wanted->over);
	ck_assert(g.over == wanted->over && g.played == wanted->played &&
	          g.annulled == wanted->annulled);
	ck_assert_int_eq(g.points[0], wanted->points[0]);
	ck_assert_int_eq(g.points[1], wanted->points[1]);
	ck_assert(!tournament_take_result(&g, &d));
}
END_TEST

/* ---- teams ---- */

/* Three teams of two; the second has a substitute, the third has lost a member. */
static struct tournament_entry members[] = {
	{ .userid = "a1", .team = 1, .captain = true },
	{ .userid = "a2", .team = 1 },
	{ .userid = "b1", .team = 2, .missed = 1 },
	{ .userid = "b2", .team = 2 },
	{ .userid = "b3", .team = 2 },
	{ .userid = "c1", .team = 3 },
	{ .userid = "c2", .team = 3, .standing = ENTRY_WITHDRAWN },
};
static struct tournament_team three[] = { { .name = "a", .first_round = 1 },
	                                  { .name = "b", .first_round = 1, .lot = 1 },
	                                  { .name = "c", .first_round = 1, .lot = 2 } };

static struct tournament_doc make_teams(struct tournament_game *list, size_t n, size_t round_count)
{
	return (struct tournament_doc){ .name = "league",
		                        .kind = TOURNAMENT_SWISS,
		                        .state = TOURNAMENT_RUNNING,
		                        .rounds = 3,
		                        .boards = 2,
		                        .by_teams = true,
		                        .most = 8,
		                        .entry_count = 7,
		                        .entries = members,
		                        .team_count = 3,
		                        .teams = three,
		                        .round_count = round_count,
		                        .round = rounds,
		                        .game_count = n,
		                        .games = list };
}

START_TEST(a_lineup)
{
	static const int wanted[3][2] = { { 1, 2 }, { 4, 5 }, { 6, 7 } };
	struct tournament_doc t = make_teams(NULL, 0, 0);
	int line[TOURNAMENT_BOARDS_MAX];

	for (int team = 1; team <= 3; team++) {
		tournament_lineup(&t, team, line);
		ck_assert_int_eq(line[0], wanted[team - 1][0]);
		ck_assert_int_eq(line[1], wanted[team - 1][1]);
		ck_assert_int_eq(tournament_is_complete(&t, team), team < 3);
	}
	ck_assert_int_eq(tournament_captain(&t, 1), 1);
	ck_assert_int_eq(tournament_captain(&t, 2), 0);
	ck_assert_int_eq(tournament_find_team(&t, "C"), 3);
	t.state = TOURNAMENT_OPEN;
	ck_assert_uint_eq(tournament_ready(&t), 2);
	t.most = 1;
	ck_assert(!tournament_team_waits(&t, 1) && tournament_team_waits(&t, 2));
	ck_assert_uint_eq(tournament_ready(&t), 1);
}
END_TEST

/* A captain who leaves hands his team on; with the last member the team leaves. */
START_TEST(a_captain_leaves)
{
	struct tournament_entry pair[] = {
		{ .userid = "a1", .team = 1, .captain = true },
		{ .userid = "a2", .team = 1 },
	};
	struct tournament_team team = { .name = "a" };
	struct tournament_doc t = {
		.entry_count = 2, .entries = pair, .team_count = 1, .teams = &team
	};

	ck_assert_int_eq(tournament_roster_leave(&t, 1), 2);
	ck_assert(!pair[0].captain && pair[1].captain);
	ck_assert_int_eq(team.standing, ENTRY_PLAYS);
	ck_assert_int_eq(tournament_roster_leave(&t, 2), 0);
	ck_assert(!pair[1].captain);
	ck_assert_int_eq(team.standing, ENTRY_WITHDRAWN);
}
END_TEST

/* A match of a and b: its two games, White of the first is of a, each with the result of White:
 * 1 = 0 played, + - a forfeit, ? open, * annulled, x annulled without play.  Then what the pairing
 * sees of it when another round is paired (later), and when not: match points, half points on the
 * boards, p played, a annulled; "-" open. */
static const struct {
	const char *results, *now, *later;
} matches[] = {
	{ "10", "2:0 4:0 p", "2:0 4:0 p" },   { "11", "1:1 2:2 p", "1:1 2:2 p" },
	{ "1=", "2:0 3:1 p", "2:0 3:1 p" },   { "0=", "0:2 1:3 p", "0:2 1:3 p" },
	{ "+-", "2:0 4:0 ", "2:0 4:0 " },     { "+1", "1:1 2:2 p", "1:1 2:2 p" },
	{ "1?", "-", "2:0 3:1 p" },           { "??", "-", "1:1 2:2 p" },
	{ "0?", "-", "0:2 1:3 p" },           { "1*", "2:0 2:0 p", "2:0 2:0 p" },
	{ "**", "0:0 0:0 pa", "0:0 0:0 pa" }, { "xx", "0:0 0:0 a", "0:0 0:0 a" },
};

static struct tournament_game game_of(char result, int white, int black)
{
	bool open = result == '?', annulled = result == '*' || result == 'x';
	int points = annulled || open ? 0 : result == '1' || result == '+' ? 2 : result == '=';

	return (struct tournament_game){
		.round = 1,
		.white = white,
		.black = black,
		.board = 1,
		.over = !open,
		.played = strchr("1=0*", result) != NULL,
		.annulled = annulled,
		.points = { points, annulled || open ? 0 : 2 - points },
	};
}

static void write_match(const struct tournament_doc *t, int round, char *to)
{
	struct arena a = { 0 };
	struct pairing pure;

	tournament_pure(&a, t, round, &pure);
	ck_assert_int_eq(pure.n, 3);
	ck_assert_int_eq(pure.n_games, 2);
	const struct pairing_game *g = pure.games;
	ck_assert(g->white == 0 && g->black == 1);
	if (g->points[0] < 0)
		strcpy(to, "-");
	else
		sprintf(to, "%d:%d %d:%d %s%s", g->points[0], g->points[1], g->boards[0],
		        g->boards[1], g->played ? "p" : "", g->annulled ? "a" : "");
	/* The bye. */
	ck_assert(g[1].white == 2 && g[1].black == PAIRING_BYE && !g[1].played);
	ck_assert(g[1].points[0] == 2 && g[1].boards[0] == 2 && g[1].boards[1] == 0);
	arena_release(&a);
}

START_TEST(a_match)
{
	struct tournament_game list[] = {
		game_of(matches[_i].results[0], 1, 4),
		game_of(matches[_i].results[1], 5, 2),
		{ .round = 1, .white = 6, .over = true, .points = { 2, 0 } }
	};
	struct tournament_doc t = make_teams(list, 3, 1);
	char got[80];

	write_match(&t, 1, got);
	ck_assert_str_eq(got, matches[_i].now);
	write_match(&t, 2, got);
	ck_assert_str_eq(got, matches[_i].later);
}
END_TEST

START_TEST(a_table_of_teams)
{
	struct tournament_game list[] = {
		game_of('1', 1, 4),
		game_of('=', 5, 2),
		{ .round = 1, .white = 6, .over = true, .points = { 2, 0 } }
	};
	struct tournament_doc t = make_teams(list, 3, 1);
	struct arena a = { 0 };
	struct pairing_row *rows = tournament_rows(&a, &t);
	static const char *const wanted[] = { "a 2 3 3w1.5", "c 2 2 bye+", "b 0 1 1b0.5" };

	for (int i = 0; i < 3; i++) {
		char text[80];
		struct str s = STR_FIXED(text);
		int unit = rows[i].entry + 1;

		str_addf(&s, "%s ", tournament_unit_name(&t, unit));
		tournament_write_score(&t, rows[i].points, &s);
		str_addf(&s, " %d ", rows[i].board_points);
		tournament_write_cell(&t, rows, unit, 1, &s);
		ck_assert_str_eq(text, wanted[i]);
	}
	ck_assert(!tournament_is_followed(&t, &list[0]));
	ck_assert(!tournament_takes_entries(&t));
	t.kind = TOURNAMENT_KNOCKOUT;
	ck_assert(!tournament_is_followed(&t, &list[0]));
	ck_assert(!tournament_is_followed(&t, &list[1]));
	arena_release(&a);
}
END_TEST

/* Two games a pairing: a bye counts for both. */
START_TEST(several_games)
{
	struct tournament_game list[] = {
		{ .round = 1,
		  .white = 1,
		  .black = 2,
		  .board = 1,
		  .over = true,
		  .played = true,
		  .points = { 2, 0 } },
		{ .round = 1,
		  .white = 2,
		  .black = 1,
		  .board = 2,
		  .over = true,
		  .played = true,
		  .points = { 1, 1 } },
		{ .round = 1, .white = 3, .over = true, .points = { 2, 0 } }
	};
	struct tournament_doc t = make();
	struct arena a = { 0 };
	static const char *const wanted[] = { "carol 2.0 bye+", "alice 1.5 3w1=", "bob 0.5 2b0=" };

	t.boards = 2;
	t.games = list;
	t.game_count = 3;
	t.round_count = 1;
	struct pairing_row *rows = tournament_rows(&a, &t);
	for (int i = 0; i < 3; i++) {
		char text[80];
		struct str s = STR_FIXED(text);
		int unit = rows[i].entry + 1;

		str_addf(&s, "%s ", tournament_unit_name(&t, unit));
		tournament_write_score(&t, rows[i].points, &s);
		str_add(&s, " ");
		tournament_write_cell(&t, rows, unit, 1, &s);
		ck_assert_str_eq(text, wanted[i]);
	}
	arena_release(&a);
}
END_TEST

/* Of a match that goes on: its open pairings, the share of games that are over, and what the players
 * have of them.  A bye and an annulled game count for nobody. */
static const struct {
	const char *results;
	int open[3], over[3], points[2], played[2]; /* of the teams; of a1 and a2 */
} counts[] = {
	{ "??", { 1, 1, 0 }, { 0, 0, 0 }, { 0, 0 }, { 0, 0 } },
	{ "?=", { 1, 1, 0 }, { 1, 1, 0 }, { 0, 1 }, { 0, 1 } },
	{ "10", { 0, 0, 0 }, { 2, 2, 0 }, { 2, 2 }, { 1, 1 } },
	{ "1*", { 0, 0, 0 }, { 1, 1, 0 }, { 2, 0 }, { 1, 0 } },
};

START_TEST(counts_of_a_match)
{
	struct tournament_game list[] = {
		game_of(counts[_i].results[0], 1, 4),
		game_of(counts[_i].results[1], 5, 2),
		{ .round = 1, .white = 6, .over = true, .points = { 2, 0 } }
	};
	struct tournament_doc t = make_teams(list, 3, 1);
	int over, all, points, played;

	for (int team = 1; team <= 3; team++) {
		ck_assert_int_eq(tournament_open_pairings(&t, team), counts[_i].open[team - 1]);
		tournament_share(&t, team, &over, &all);
		ck_assert_int_eq(over, counts[_i].over[team - 1]);
		ck_assert_int_eq(all, 4);
	}
	for (int number = 1; number <= 2; number++) {
		tournament_score_of(&t, number, &points, &played);
		ck_assert_int_eq(points, counts[_i].points[number - 1]);
		ck_assert_int_eq(played, counts[_i].played[number - 1]);
	}
	tournament_score_of(&t, 6, &points, &played);
	ck_assert(points == 0 && played == 0);
	t.kind = TOURNAMENT_DOUBLE;
	tournament_share(&t, 1, &over, &all);
	ck_assert_int_eq(all, 8);
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
	tcase_add_test(t, a_lineup);
	tcase_add_test(t, a_captain_leaves);
	tcase_add_loop_test(t, a_match, 0, (int)(sizeof matches / sizeof matches[0]));
	tcase_add_loop_test(t, counts_of_a_match, 0, (int)(sizeof counts / sizeof counts[0]));
	tcase_add_test(t, a_table_of_teams);
	tcase_add_test(t, several_games);
	suite_add_tcase(s, t);
	return suite_run(s);
}
