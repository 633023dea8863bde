/* A season of a league: who goes up and down, how the next one is ordered and cut; and pairings
 * as directors and pairing programs write them. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "pbm/tournament/tournament_league.h"
#include "pbm/tournament/tournament_pairs.h"
#include "pbm/tournament/tournament_state.h"
#include "tests/util/suite.h"

#define GROUPS 3
#define SIZE 4

static struct tournament_entry entries[GROUPS][SIZE];
static struct tournament_game games[GROUPS][SIZE * (SIZE - 1) / 2];
static struct tournament_round rounds[SIZE - 1];
static char names[GROUPS][SIZE][4];

/* Group 1 has a1 to a4, and so on; the smaller number has won each game. */
static void make(struct tournament_doc *t, int promoted)
{
	for (int g = 0; g < GROUPS; g++) {
		size_t n = 0;

		for (int i = 0; i < SIZE; i++) {
			snprintf(names[g][i], sizeof names[g][i], "%c%d", 'a' + g, i + 1);
			entries[g][i] = (struct tournament_entry){ .userid = names[g][i],
				                                   .rating = 1500 - i,
				                                   .first_round = 1 };
			for (int k = 0; k < i; k++)
				games[g][n++] = (struct tournament_game){ .round = 1,
					                                  .white = k + 1,
					                                  .black = i + 1,
					                                  .board = 1,
					                                  .over = true,
					                                  .played = true,
					                                  .points = { 2, 0 } };
		}
		t[g] = (struct tournament_doc){ .name = "liga",
			                        .kind = TOURNAMENT_ROUND_ROBIN,
			                        .state = TOURNAMENT_FINISHED,
			                        .rounds = SIZE - 1,
			                        .group_size = SIZE,
			                        .promoted = promoted,
			                        .group = g + 1,
			                        .groups = GROUPS,
			                        .entry_count = SIZE,
			                        .entries = entries[g],
			                        .round_count = SIZE - 1,
			                        .round = rounds,
			                        .game_count = n,
			                        .games = games[g] };
	}
}

static const struct {
	int promoted;
	const char *left; /* who has left during the season */
	const char *order;
} seasons[] = {
	{ 1, "", "a1 a2 a3 b1 a4 b2 b3 c1 b4 c2 c3 c4" },
	{ 2, "", "a1 a2 b1 b2 a3 a4 c1 c2 b3 b4 c3 c4" },
	{ 1, "b1", "a1 a2 a3 b2 a4 b3 c1 b4 c2 c3 c4" },
	{ 1, "a4", "a1 a2 a3 b1 b2 b3 c1 b4 c2 c3 c4" },
	{ 1, "c1 c2", "a1 a2 a3 b1 a4 b2 b3 c3 b4 c4" },
};

START_TEST(next_season)
{
	struct arena a = { 0 };
	struct tournament_doc t[GROUPS];
	const char **order;
	char got[200] = "";

	make(t, seasons[_i].promoted);
	for (int g = 0; g < GROUPS; g++)
		for (int i = 0; i < SIZE; i++)
			if (strstr(seasons[_i].left, names[g][i]))
				entries[g][i].standing = ENTRY_WITHDRAWN;
	size_t n = tournament_league_order(&a, t, GROUPS, &order);
	for (size_t i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "",
		         order[i]);
	ck_assert_str_eq(got, seasons[_i].order);
	arena_release(&a);
}
END_TEST

static const struct {
	int players, size;
	const char *sizes;
} cuts[] = {
	{ 2, 8, "2" },
	{ 8, 8, "8" },
	{ 9, 8, "5 4" },
	{ 20, 8, "7 7 6" },
	{ 16, 8, "8 8" },
	{ 4, 3, "2 2" },
	{ 64, 8, "8 8 8 8 8 8 8 8" },
};

START_TEST(cut_into_groups)
{
	int groups = tournament_league_groups(cuts[_i].players, cuts[_i].size), sum = 0;
	char got[100] = "";

	for (int g = 0; g < groups; g++) {
		int n = tournament_league_size(cuts[_i].players, groups, g);

		sum += n;
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d", g ? " " : "", n);
	}
	ck_assert_str_eq(got, cuts[_i].sizes);
	ck_assert_int_eq(sum, cuts[_i].players);
}
END_TEST

/* Pairs of a1, a2, a3 and an-na, of whom a3 has left; then the list or a part of the complaint. */
static const struct {
	const char *words, *wanted;
} typed[] = {
	{ "a1:a2", "1-2" },
	{ "a1-a2 an-na", "1-2 4-0" },
	{ "an-na-a1", "4-1" },
	{ "a1-an-na", "1-4" },
	{ "A1:A2", "1-2" },
	{ "1-2 4", "1-2 4-0" },
	{ "1:4", "1-4" },
	{ "a1:a1", "against himself" },
	{ "a1:a2 a2", "a2 is paired twice" },
	{ "a1:a3", "a3 has left" },
	{ "a1:zoe", "no pair of players" },
	{ "0-1", "no pair of players" },
	{ "5", "no pair of players" },
	{ "99999999999999999999", "no pair of players" },
	{ ":", "no pair of players" },
};

static void write_list(char *to, const struct tournament_pair *v, size_t n)
{
	*to = '\0';
	for (size_t i = 0; i < n; i++)
		to += sprintf(to, "%s%d-%d", i ? " " : "", v[i].white, v[i].black);
}

static void make_four(struct tournament_doc *t)
{
	make(t, 1);
	entries[0][3].userid = "an-na";
	entries[0][2].standing = ENTRY_WITHDRAWN;
}

START_TEST(typed_pairs)
{
	struct tournament_doc t[GROUPS];
	struct tournament_pair v[TOURNAMENT_PLAYERS_MAX];
	struct err e = { 0 };
	char words[100], got[200];
	size_t n = 0;

	make_four(t);
	snprintf(words, sizeof words, "%s", typed[_i].words);
	for (char *at = strtok(words, " "); at && !e.text[0]; at = strtok(NULL, " "))
		tournament_pairs_add(&t[0], at, v, &n, &e);
	write_list(got, v, n);
	if (e.text[0])
		ck_assert_msg(strstr(e.text, typed[_i].wanted), "%s", e.text);
	else
		ck_assert_str_eq(got, typed[_i].wanted);
}
END_TEST

static const struct {
	const char *text, *wanted;
} files[] = {
	{ "2\n1 2\n4 0\n", "1-2 4-0" },
	{ "2\r\n4 1\r\n2 0\r\n", "4-1 2-0" },
	{ "", "number of pairs" },
	{ "0\n", "number of pairs" },
	{ "501\n", "number of pairs" },
	{ "2\n1 2\n", "pair 2 of 2 is missing" },
	{ "1\n1 2\n4 0\n", "more than 1" },
	{ "1\n1 5\n", "no player's number" },
	{ "1\n-1 2\n", "no player's number" },
	{ "1\n1 1\n", "against himself" },
	{ "1\n1 3\n", "a3 has left" },
};

START_TEST(pairs_of_programs)
{
	struct tournament_doc t[GROUPS];
	struct tournament_pair v[TOURNAMENT_PLAYERS_MAX];
	struct err e = { 0 };
	char got[200];
	size_t n;

	make_four(t);
	if (tournament_pairs_read(&t[0], files[_i].text, v, &n, &e) < 0) {
		ck_assert_msg(strstr(e.text, files[_i].wanted), "%s", e.text);
		return;
	}
	write_list(got, v, n);
	ck_assert_str_eq(got, files[_i].wanted);
}
END_TEST

#define LOOP(t, test, table)                                                                       \
	tcase_add_loop_test(t, test, 0, (int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	Suite *s = suite_create("league");
	TCase *t = tcase_create("seasons and pairs");

	LOOP(t, next_season, seasons);
	LOOP(t, cut_into_groups, cuts);
	LOOP(t, typed_pairs, typed);
	LOOP(t, pairs_of_programs, files);
	suite_add_tcase(s, t);
	return suite_run(s);
}
