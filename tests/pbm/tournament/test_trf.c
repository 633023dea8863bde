/* Report files of FIDE: columns, byes and forfeits; what is read from a file and written again;
 * files whose results don't fit; a tournament as a file and back. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "pbm/pairing/pairing.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_trf.h"
#include "tests/util/suite.h"

#define TEXT_MAX 65536

/* Two rounds of five players: a bye by pairing, a half-point bye, a forfeit. */
static const char five[] =
	"012 Spring\r\n"
	"042 2026/12/01\r\n"
	"052 2026/12/31\r\n"
	"062 5\r\n"
	"072 4\r\n"
	"092 Individual: Swiss-System\r\n"
	"102 carol\r\n"
	"XXR 3\r\n"
	"XXC white1\r\n"
	"001    1      alice                             1700                             2.0    1  "
	"   3 w 1     2 b 1\r\n"
	"001    2      bob                               1650                             1.0    2  "
	"   4 b +     1 w 0\r\n"
	"001    3      dave                              1600                             1.0    3  "
	"   1 b 0  0000 - U\r\n"
	"001    4      erin                              1500                             0.5    5  "
	"   2 w -     5 b =\r\n"
	"001    5      frank                                                              1.0    4  "
	"0000 - H     4 w =\r\n";

/* The file again, with "from" replaced once. */
static const char *changed(const char *from, const char *to)
{
	static char text[TEXT_MAX];
	const char *at = strstr(five, from);

	ck_assert_ptr_nonnull(at);
	snprintf(text, sizeof text, "%.*s%s%s", (int)(at - five), five, to, at + strlen(from));
	return text;
}

static const struct {
	int player, round;
	struct trf_result r;
} cells[] = {
	{ 1, 1, { 3, 'w', '1' } }, { 1, 2, { 2, 'b', '1' } }, { 2, 1, { 4, 'b', '+' } },
	{ 3, 2, { 0, '-', 'U' } }, { 4, 1, { 2, 'w', '-' } }, { 4, 2, { 5, 'b', '=' } },
	{ 5, 1, { 0, '-', 'H' } },
};

START_TEST(read_and_written)
{
	struct arena a = { 0 };
	struct trf f;
	struct err e = { 0 };
	struct str s;

	ck_assert_msg(trf_read(&a, five, &f, &e) == 0 && trf_check(&f, &e) == 0, "%s", e.text);
	ck_assert_uint_eq(f.player_count, 5);
	ck_assert_uint_eq(f.round_count, 2);
	ck_assert_int_eq(f.rounds, 3);
	ck_assert_str_eq(f.players[4].name, "frank");
	ck_assert_int_eq(f.players[3].points, 1);
	ck_assert_int_eq(f.players[3].rank, 5);
	for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
		const struct trf_result *r = &f.players[cells[i].player - 1]
		                                      .round[cells[i].round - 1];

		ck_assert_int_eq(r->opponent, cells[i].r.opponent);
		ck_assert_int_eq(r->colour, cells[i].r.colour);
		ck_assert_int_eq(r->result, cells[i].r.result);
	}
	str_init(&s, TEXT_MAX);
	trf_write(&f, &s);
	ck_assert_str_eq(s.data, five);
	str_release(&s);
	arena_release(&a);
}
END_TEST

/* A change of the file, and a part of the complaint; "": it is good. */
static const struct {
	const char *from, *to, *wanted;
} changes[] = {
	{ "\r\n", "\r", "" },
	{ "\r\n", "\n", "" },
	{ "XXR 3", "142 3", "" },
	{ "alice ", "\xc3\x84lice ", "" },
	{ "001    5", "001    6", "player 5 is missing" },
	{ "001    5", "001    4", "player 5 is missing" },
	{ "001    5", "001    x", "line 14: a number can't be read" },
	{ "1.0    2", "1.3    2", "line 11: the points can't be read" },
	{ "1.0    2", "1.5    2", "player 2 has 1.5 points, and results for 1.0" },
	{ "3 w 1", "3 x 1", "line 10: a round can't be read" },
	{ "3 w 1", "3 w 7", "line 10: a round can't be read" },
	{ "3 w 1", "3 w 0", "player 1, round 1: the results of both don't fit" },
	{ "3 w 1", "2 w 1", "player 1, round 1: opponent 2 has another game there" },
	{ "3 w 1", "3 b 1", "player 1, round 1: opponent 3 has another game there" },
	{ "3 w 1", "9 w 1", "player 1, round 1: there is no opponent 9" },
	{ "3 w 1", "1 w 1", "player 1, round 1: there is no opponent 1" },
	{ "3 w 1", "3 w U", "player 1, round 1: U is no result against an opponent" },
	{ "0000 - U", "0000 - 1", "player 3, round 2: 1 is no result without an opponent" },
	{ "0000 - U", "0000 - +", "" },
	{ "3 w 1", "3 w  ", "player 1, round 1: the results of both don't fit" },
	{ "XXR 3", "XXR x", "the number of rounds can't be read" },
};

START_TEST(complaints)
{
	struct arena a = { 0 };
	struct trf f;
	struct err e = { 0 };
	int rc = trf_read(&a, changed(changes[_i].from, changes[_i].to), &f, &e);

	if (rc == 0)
		rc = trf_check(&f, &e);
	ck_assert_msg(*changes[_i].wanted ? strstr(e.text, changes[_i].wanted) != NULL : rc == 0,
	              "%s", e.text);
	arena_release(&a);
}
END_TEST

START_TEST(no_players)
{
	struct arena a = { 0 };
	struct trf f;
	struct err e = { 0 };

	ck_assert_int_eq(trf_read(&a, "012 Spring\r\n", &f, &e), ERR_BAD);
	ck_assert_int_eq(trf_read(&a, "", &f, &e), ERR_BAD);
	arena_release(&a);
}
END_TEST

static void take(struct arena *a, struct tournament_doc *t, const char *text)
{
	static const char *const userids[] = { "alice", "bob", "dave", "erin", "frank" };
	struct trf f;
	struct err e = { 0 };

	*t = (struct tournament_doc){ .name = "Spring",
		                      .director = "carol",
		                      .kind = TOURNAMENT_SWISS,
		                      .state = TOURNAMENT_RUNNING,
		                      .by_hand = true,
		                      .rounds = 3 };
	ck_assert_msg(trf_read(a, text, &f, &e) == 0 && trf_check(&f, &e) == 0, "%s", e.text);
	ck_assert_msg(tournament_trf_take(a, &f, userids, 1764547200, t, &e) == 0, "%s", e.text);
}

/* The table of the tournament that was read has the points and ranks of the file, and writes the
 * same games. */
START_TEST(taken_and_made)
{
	struct arena a = { 0 };
	struct tournament_doc t;
	struct trf f, own;
	struct err e = { 0 };

	take(&a, &t, five);
	ck_assert_uint_eq(t.game_count, 5);
	ck_assert_int_eq(trf_read(&a, five, &f, &e), 0);
	tournament_trf_make(&a, &t, &own);
	ck_assert_msg(trf_check(&own, &e) == 0, "%s", e.text);
	ck_assert_uint_eq(own.round_count, 2);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_int_eq(own.players[i].points, f.players[i].points);
		ck_assert_int_eq(own.players[i].rank, f.players[i].rank);
		for (size_t k = 0; k < 2; k++) {
			ck_assert_int_eq(own.players[i].round[k].opponent,
			                 f.players[i].round[k].opponent);
			ck_assert_int_eq(own.players[i].round[k].result,
			                 f.players[i].round[k].result);
		}
	}
	arena_release(&a);
}
END_TEST

/* dave has asked for the second round off. */
START_TEST(half_points)
{
	struct arena a = { 0 };
	struct tournament_doc t;
	struct trf own;
	struct err e = { 0 };

	take(&a, &t,
	     changed("1.0    3  "
	             "   1 b 0  0000 - U",
	             "0.5    3  "
	             "   1 b 0  0000 - H"));
	ck_assert_uint_eq(t.game_count, 5);
	ck_assert_int_eq(tournament_byes_had(&t, 1), 0);
	ck_assert_int_eq(tournament_byes_had(&t, 3), 1);
	ck_assert_int_eq(tournament_byes_had(&t, 5), 1); /* he came late */
	tournament_trf_make(&a, &t, &own);
	ck_assert_msg(trf_check(&own, &e) == 0, "%s", e.text);
	ck_assert_int_eq(own.players[2].round[1].result, 'H');
	ck_assert_int_eq(own.players[2].points, 1);
	arena_release(&a);
}
END_TEST

/* Older files write a bye as a win by forfeit without an opponent. */
START_TEST(older_bye)
{
	struct arena a = { 0 };
	struct trf f;

	ck_assert_int_eq(trf_read(&a, changed("0000 - U", "0000 - +"), &f, NULL), 0);
	ck_assert_int_eq(f.players[2].round[1].result, 'U');
	ck_assert_int_eq(trf_read(&a, changed("0000 - U", "0000 - -"), &f, NULL), 0);
	ck_assert_int_eq(f.players[2].round[1].result, 'Z');
	arena_release(&a);
}
END_TEST

/* A pairing program adds the third round without results. */
START_TEST(next_round)
{
	struct arena a = { 0 };
	struct tournament_doc t;
	struct tournament_pair v[TOURNAMENT_PLAYERS_MAX];
	struct trf f;
	struct err e = { 0 };
	size_t n;
	static const struct trf_result paired[] = {
		{ 5, 'w', ' ' }, { 3, 'w', ' ' }, { 2, 'b', ' ' }, { 0, '-', 'U' }, { 1, 'b', ' ' }
	};

	take(&a, &t, five);
	ck_assert_int_eq(trf_read(&a, five, &f, &e), 0);
	ck_assert_int_eq(tournament_trf_pairs(&a, &t, &f, v, &n, &e), ERR_BAD);
	e = (struct err){ 0 };
	f.round_count = 3;
	for (size_t i = 0; i < 5; i++)
		f.players[i].round[2] = paired[i];
	ck_assert_msg(tournament_trf_pairs(&a, &t, &f, v, &n, &e) == 0, "%s", e.text);
	ck_assert_uint_eq(n, 3);
	ck_assert(v[0].white == 1 && v[0].black == 5);
	ck_assert(v[1].white == 2 && v[1].black == 3);
	ck_assert(v[2].white == 4 && v[2].black == 0);
	/* Only who has asked for it has the round off. */
	f.players[3].round[2].result = 'H';
	ck_assert_int_eq(tournament_trf_pairs(&a, &t, &f, v, &n, &e), ERR_BAD);
	ck_assert_str_eq(e.text, "erin has not asked for this round off");
	t.entries[3].asks_bye = true;
	ck_assert_msg(tournament_trf_pairs(&a, &t, &f, v, &n, &e) == 0 && n == 2, "%s", e.text);
	e = (struct err){ 0 };
	f.players[3].round[2].result = 'U';
	ck_assert_int_eq(tournament_trf_pairs(&a, &t, &f, v, &n, &e), ERR_BAD);
	ck_assert_str_eq(e.text, "erin has asked for this round off");
	t.entries[3].asks_bye = false;
	e = (struct err){ 0 };
	f.players[0].round[0].opponent = 4;
	ck_assert_int_eq(tournament_trf_pairs(&a, &t, &f, v, &n, &e), ERR_BAD);
	ck_assert_ptr_nonnull(strstr(e.text, "player 1 had another game here in round 1"));
	arena_release(&a);
}
END_TEST

/* Two games a pairing take two rounds of the file. */
START_TEST(several_games)
{
	static struct tournament_game games[] = {
		{ .round = 1,
		  .white = 1,
		  .black = 2,
		  .board = 1,
		  .over = true,
		  .played = true,
		  .points = { 2, 0 } },
		{ .round = 1, .white = 2, .black = 1, .board = 2 },
	};
	struct arena a = { 0 };
	struct tournament_doc t;
	struct trf f;
	struct err e = { 0 };

	take(&a, &t, five);
	t.entry_count = 2;
	t.round_count = 1;
	t.boards = 2;
	t.games = games;
	t.game_count = 2;
	tournament_trf_make(&a, &t, &f);
	ck_assert_msg(trf_check(&f, &e) == 0, "%s", e.text);
	ck_assert_uint_eq(f.round_count, 2);
	ck_assert(f.players[0].round[0].result == '1' && f.players[0].round[1].result == ' ');
	ck_assert_int_eq(f.players[0].points, 2);
	arena_release(&a);
}
END_TEST

#define LOOP(t, test, table)                                                                       \
	tcase_add_loop_test(t, test, 0, (int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	Suite *s = suite_create("trf");
	TCase *t = tcase_create("report files");

	tcase_add_test(t, read_and_written);
	LOOP(t, complaints, changes);
	tcase_add_test(t, no_players);
	tcase_add_test(t, taken_and_made);
	tcase_add_test(t, half_points);
	tcase_add_test(t, older_bye);
	tcase_add_test(t, next_round);
	tcase_add_test(t, several_games);
	suite_add_tcase(s, t);
	return suite_run(s);
}
