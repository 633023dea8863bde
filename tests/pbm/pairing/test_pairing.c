/* Round robins and knockouts; tables and their tie-breaks; matches of teams. */
#include <check.h>
#include <stdio.h>

#include "tests/pbm/tournament/simulation.h"
#include "tests/util/suite.h"

/* FIDE Handbook C.05, annex 1. */
static const struct {
	int players, round;
	const char *wanted;
} berger[] = {
	{ 2, 1, "1-2" },
	{ 3, 1, "2-3" },
	{ 3, 2, "1-2" },
	{ 3, 3, "3-1" },
	{ 4, 1, "1-4 2-3" },
	{ 4, 2, "4-3 1-2" },
	{ 4, 3, "2-4 3-1" },
	{ 5, 2, "5-3 1-2" },
	{ 6, 1, "1-6 2-5 3-4" },
	{ 6, 2, "6-4 5-3 1-2" },
	{ 6, 3, "2-6 3-1 4-5" },
	{ 6, 4, "6-5 1-4 2-3" },
	{ 6, 5, "3-6 4-2 5-1" },
	{ 8, 2, "8-5 6-4 7-3 1-2" },
	{ 8, 4, "8-6 7-5 1-4 2-3" },
	{ 8, 7, "4-8 5-3 6-2 7-1" },
	{ 10, 6, "10-8 9-7 1-6 2-5 3-4" },
	{ 16, 15, "8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1" },
	/* the second time */
	{ -2, 2, "2-1" },
	{ -4, 4, "4-1 3-2" },
	{ -4, 6, "4-2 1-3" },
	{ -5, 7, "3-5 2-1" },
};

static struct sim sim;

static void write_pairs(char *to, const struct pairing_pair *v, int n)
{
	*to = '\0';
	for (int i = 0; i < n; i++)
		to += v[i].black == PAIRING_BYE ? sprintf(to, "%s%d", i ? " " : "", v[i].white + 1)
		                                : sprintf(to, "%s%d-%d", i ? " " : "",
		                                          v[i].white + 1, v[i].black + 1);
}

START_TEST(berger_table)
{
	struct arena a = { 0 };
	struct pairing_pair *v;
	int n, players = abs(berger[_i].players);
	char got[200];

	sim_begin(&sim, berger[_i].players < 0 ? PAIRING_DOUBLE : PAIRING_ROUND_ROBIN, players, 0);
	ck_assert_int_eq(pairing_make(&sim.t, berger[_i].round, &a, &v, &n), 0);
	write_pairs(got, v, n);
	ck_assert_str_eq(got, berger[_i].wanted);
	arena_release(&a);
}
END_TEST

/* Everybody meets everybody, and colours differ by one at most. */
START_TEST(everybody_meets)
{
	for (int players = 2; players < 60; players++) {
		struct arena a = { 0 };
		struct pairing_pair *v;
		int n, rounds = pairing_rounds_max(PAIRING_ROUND_ROBIN, players),
		       whites[60] = { 0 };
		bool met[60][60] = { { false } };

		sim_begin(&sim, PAIRING_ROUND_ROBIN, players, rounds);
		for (int round = 1; round <= rounds; round++) {
			ck_assert_int_eq(pairing_make(&sim.t, round, &a, &v, &n), 0);
			ck_assert_int_eq(n, players / 2);
			for (int i = 0; i < n; i++) {
				ck_assert(!met[v[i].white][v[i].black]);
				met[v[i].white][v[i].black] = met[v[i].black][v[i].white] = true;
				whites[v[i].white]++;
			}
		}
		for (int i = 0; i < players; i++)
			ck_assert_int_le(abs(2 * whites[i] - (players - 1)), 1);
		ck_assert_int_eq(pairing_make(&sim.t, rounds + 1, &a, &v, &n), PAIRING_NO_PAIRING);
		arena_release(&a);
	}
}
END_TEST

static const struct {
	int players;
	uint32_t lot;
	enum pairing_colour colour;
	const char *wanted;
} simuls[] = {
	{ 4, 0, PAIRING_BOTH_COLOURS, "1-2 3-1 1-4" },
	{ 4, 1, PAIRING_BOTH_COLOURS, "2-1 1-3 4-1" },
	{ 3, 0, PAIRING_WHITE, "1-2 1-3" },
	{ 3, 1, PAIRING_BLACK, "2-1 3-1" },
	{ 2, 0, PAIRING_WHITE, "1-2" },
};

START_TEST(one_against_many)
{
	struct arena a = { 0 };
	struct pairing_pair *v;
	int n;
	char got[200];

	sim_begin(&sim, PAIRING_SIMUL, simuls[_i].players, 1);
	sim.t.lot = simuls[_i].lot;
	sim.t.colour = simuls[_i].colour;
	ck_assert_int_eq(pairing_make(&sim.t, 1, &a, &v, &n), 0);
	write_pairs(got, v, n);
	ck_assert_str_eq(got, simuls[_i].wanted);
	ck_assert_int_eq(pairing_make(&sim.t, 2, &a, &v, &n), PAIRING_NO_PAIRING);
	arena_release(&a);
}
END_TEST

static const struct {
	enum pairing_kind kind;
	int players, asked, rounds;
} counts[] = {
	{ PAIRING_SWISS, 1, 3, 0 },       { PAIRING_SWISS, 4, 5, 2 },
	{ PAIRING_SWISS, 9, 5, 4 },       { PAIRING_SWISS, 200, 9, 9 },
	{ PAIRING_ROUND_ROBIN, 1, 0, 0 }, { PAIRING_ROUND_ROBIN, 2, 0, 1 },
	{ PAIRING_ROUND_ROBIN, 7, 0, 7 }, { PAIRING_ROUND_ROBIN, 8, 3, 7 },
	{ PAIRING_DOUBLE, 8, 0, 14 },     { PAIRING_KNOCKOUT, 1, 0, 0 },
	{ PAIRING_KNOCKOUT, 2, 0, 1 },    { PAIRING_KNOCKOUT, 8, 0, 3 },
	{ PAIRING_KNOCKOUT, 9, 0, 4 },    { PAIRING_SIMUL, 9, 0, 1 },
};

START_TEST(round_counts)
{
	ck_assert_int_eq(pairing_round_count(counts[_i].kind, counts[_i].players, counts[_i].asked),
	                 counts[_i].rounds);
}
END_TEST

/* Knockout matches, 1 the better seed, whose lot gives him White first.  Each letter is a game
 * of the match: w, d, l for the better seed, x when neither has played, o an open one, a an
 * annulled one.  Then: who is White in the next game (* after it: the tiebreak), "=" a game is
 * running, or the winner after "!". */
static const struct {
	int best_of;
	const char *games, *wanted;
} matches[] = {
	{ 1, "", "1" },     { 1, "w", "!1" },    { 1, "l", "!2" },   { 1, "d", "2*" },
	{ 1, "do", "=" },   { 1, "dd", "!1" },   { 1, "dw", "!1" },  { 1, "dl", "!2" },
	{ 1, "o", "=" },    { 1, "a", "1" },     { 1, "ad", "2*" },  { 1, "x", "2*" },
	{ 1, "xx", "!1" },  { 1, "dad", "!1" },  { 2, "", "1" },     { 2, "w", "2" },
	{ 2, "d", "2" },    { 2, "wd", "!1" },   { 2, "wl", "2*" },  { 2, "dl", "!2" },
	{ 2, "wll", "!2" }, { 2, "wld", "!1" },  { 3, "w", "2" },    { 3, "ww", "!1" },
	{ 3, "wd", "1" },   { 3, "wdd", "!1" },  { 3, "wdl", "2*" }, { 3, "ll", "!2" },
	{ 3, "ld", "1" },   { 4, "ww", "1" },    { 4, "www", "!1" }, { 4, "wwd", "!1" },
	{ 4, "wwl", "2" },  { 4, "wwll", "2*" }, { 4, "lwo", "=" },  { 4, "wwo", "=" },
};

static void add_match(struct sim *s, int round, const char *games)
{
	for (; *games; games++) {
		struct pairing_game *g = &s->game[s->t.n_games];
		int points = (int)(strchr("ldw", *games) ? strchr("ldw", *games) - "ldw" : 0);
		bool turned = s->t.n_games++ % 2;

		*g = (struct pairing_game){ .round = round,
			                    .white = turned,
			                    .black = !turned,
			                    .annulled = *games == 'a',
			                    .played = *games != 'x' };
		g->points[turned] = points;
		g->points[!turned] = *games == 'x' ? 0 : 2 - points;
		if (*games == 'o')
			g->points[0] = g->points[1] = -1;
	}
}

START_TEST(knockout_match)
{
	struct pairing_pair pair = { 0, 1 };
	char got[40];

	sim_begin(&sim, PAIRING_KNOCKOUT, 2, 1);
	sim.t.best_of = matches[_i].best_of;
	sim.t.lot = sim.entry[0].lot = sim.entry[1].lot = 0;
	add_match(&sim, 1, matches[_i].games);
	struct pairing_match m = pairing_knockout_next(&sim.t, 1, &pair);
	if (m.state == PAIRING_MATCH_RUNNING)
		strcpy(got, "=");
	else if (m.state == PAIRING_MATCH_DECIDED)
		sprintf(got, "!%d", m.winner + 1);
	else
		sprintf(got, "%d%s", m.white + 1, m.tiebreak ? "*" : "");
	ck_assert_str_eq(got, matches[_i].wanted);
}
END_TEST

/* Rounds in which the better seed wins, but for the final. */
START_TEST(knockout_rounds)
{
	static const char *const wanted[] = { "1 4-5 2 3-6", "1-4 2-3", "1-2" };
	struct arena a = { 0 };
	struct pairing_pair *v;
	struct pairing_row *row;
	int n;
	char got[100];

	sim_begin(&sim, PAIRING_KNOCKOUT, 6, 3);
	for (int round = 1; round <= 3; round++) {
		ck_assert_int_eq(pairing_make(&sim.t, round, &a, &v, &n), 0);
		write_pairs(got, v, n);
		ck_assert_str_eq(got, wanted[round - 1]);
		ck_assert_int_eq(round < 3 ? pairing_make(&sim.t, round + 1, &a, &v, &n)
		                           : PAIRING_TOO_EARLY,
		                 PAIRING_TOO_EARLY);
		ck_assert_int_eq(pairing_make(&sim.t, round, &a, &v, &n), 0);
		for (int i = 0; i < n; i++)
			if (v[i].black != PAIRING_BYE)
				sim.game[sim.t.n_games++] = (struct pairing_game){
					.round = round,
					.white = v[i].black,
					.black = v[i].white,
					.points = { round == 3 ? 2 : 0, round == 3 ? 0 : 2 },
					.played = true
				};
	}
	pairing_table(&sim.t, &a, &row);
	static const int entries[] = { 1, 0, 2, 3, 4, 5 }, places[] = { 1, 2, 3, 3, 5, 5 },
			 points[] = { 6, 4, 2, 2, 0, 0 };
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(row[i].entry, entries[i]);
		ck_assert_int_eq(row[i].place, places[i]);
		ck_assert_int_eq(row[i].points, points[i]);
		ck_assert_int_eq(row[i].shared, i > 1);
	}
	arena_release(&a);
}
END_TEST

/* Tables.  Games: round, white, result, black; the result is 1, 0, = as played, + or - a
 * forfeit, 2 both lose by forfeit, ? open, a played and annulled; black 0 is a bye.  Wanted:
 * the players in order, "=" between those whom only the lot divides; lots run against the
 * seeds, so that the last seed has the best one. */
static const struct {
	enum pairing_kind kind;
	int players;
	const char *games, *wanted;
} tables[] = {
	{ PAIRING_SWISS, 4, "", "4=3=2=1" },
	{ PAIRING_SWISS, 4, "1 1 1 3,1 2 1 4", "2=1 4=3" },
	/* 1 and 2 are equal, and have met */
	{ PAIRING_SWISS, 4, "1 1 0 2,1 3 0 4,2 1 1 3,2 4 1 2", "4 2 1 3" },
	/* so have 2 and 5 */
	{ PAIRING_SWISS, 6, "1 1 1 4,1 2 1 5,1 3 1 6,2 1 1 2,2 3 = 4,2 5 1 6", "1 3 2 5 4 6" },
	/* a forfeit counts as a draw with somebody of own points */
	{ PAIRING_SWISS, 4, "1 1 + 3,1 2 1 4,2 1 = 2,2 3 = 4", "1 2 4 3" },
	{ PAIRING_SWISS, 3, "1 1 1 2,1 3 b 0", "3 1 2" },
	/* open: of the last round nothing, of an earlier one a draw */
	{ PAIRING_SWISS, 4, "1 1 ? 3,1 2 1 4", "2 4 3=1" },
	{ PAIRING_SWISS, 4, "1 1 ? 3,1 2 1 4,2 1 ? 2,2 3 ? 4", "2 3=1 4" },
	/* 4 has beaten 1, and 2 has beaten 3 */
	{ PAIRING_ROUND_ROBIN, 4, "1 1 0 4,1 2 1 3,2 4 0 3,2 1 1 2,3 2 0 4,3 3 0 1", "4 1 2 3" },
	{ PAIRING_ROUND_ROBIN, 3, "1 2 1 3,2 1 1 2,3 3 1 1", "3=2=1" },
	{ PAIRING_ROUND_ROBIN, 3, "1 2 = 3,2 1 a 2,3 3 1 1", "3 2 1" },
};

static void add_game(struct sim *s, const char *text)
{
	static const struct {
		char result;
		int white, black;
		bool played, annulled;
	} results[] = {
		{ '1', 2, 0, true, false },   { '0', 0, 2, true, false },
		{ '=', 1, 1, true, false },   { '+', 2, 0, false, false },
		{ '-', 0, 2, false, false },  { '2', 0, 0, false, false },
		{ '?', -1, -1, true, false }, { 'a', 2, 0, true, true },
		{ 'b', 2, 0, false, false },
	};
	struct pairing_game *g = &s->game[s->t.n_games++];
	char result;

	ck_assert_int_eq(sscanf(text, "%d %d %c %d", &g->round, &g->white, &result, &g->black), 4);
	g->white--;
	g->black--;
	for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
		if (results[i].result == result) {
			g->points[0] = results[i].white;
			g->points[1] = results[i].black;
			g->played = results[i].played;
			g->annulled = results[i].annulled;
		}
}

/* Above 0: x stands before y by right; 0: only the lot can say it. */
static int judge(const struct pairing_row *x, const struct pairing_row *y)
{
	int difference = x->points - y->points;

	if (!difference)
		difference = x->board_points - y->board_points;
	if (!difference)
		difference = x->head_to_head - y->head_to_head;
	if (!difference)
		difference = x->buchholz_cut - y->buchholz_cut;
	if (!difference)
		difference = x->buchholz - y->buchholz;
	if (!difference)
		difference = x->sonneborn_berger - y->sonneborn_berger;
	return difference ? difference : x->wins - y->wins;
}

static void write_table(char *to, const struct pairing_row *row, int n)
{
	*to = '\0';
	for (int i = 0; i < n; i++) {
		const char *sign = i && row[i].place && judge(&row[i - 1], &row[i]) == 0 ? "="
		                                                                         : " ";

		ck_assert(*sign == ' ' || (row[i].shared && row[i - 1].shared));
		to += sprintf(to, "%s%d", i ? sign : "", row[i].entry + 1);
	}
}

START_TEST(table_order)
{
	struct arena a = { 0 };
	struct pairing_row *row;
	char got[200];

	sim_begin(&sim, tables[_i].kind, tables[_i].players, 0);
	for (int i = 0; i < sim.t.n; i++)
		sim.entry[i].lot = (uint32_t)(100 - i);
	for (const char *at = tables[_i].games; *at;
	     at = strchr(at, ',') ? strchr(at, ',') + 1 : "")
		add_game(&sim, at);
	pairing_table(&sim.t, &a, &row);
	write_table(got, row, sim.t.n);
	ck_assert_msg(strcmp(got, tables[_i].wanted) == 0, "row %d: %s, not %s", _i, got,
	              tables[_i].wanted);
	arena_release(&a);
}
END_TEST

/* Checks the table's sums for a player in a Swiss tournament whose games are over, round by
 * round as the rules say it. */
static void check_sums(const struct sim *s, const struct pairing_row *row, int rounds)
{
	int e = row->entry, own = s->points[e], buchholz = 0, lowest = own, berger_sum = 0,
	    wins = 0;

	for (int round = 1; round <= rounds; round++) {
		int opponent = own, result = 0;
		bool met = false;

		for (int i = 0; i < s->t.n_games; i++) {
			const struct pairing_game *g = &s->game[i];
			int side = g->black == e;

			if (g->round != round || g->annulled || g->black == PAIRING_BYE ||
			    (g->white != e && g->black != e))
				continue;
			if (g->played) {
				opponent = s->points[side ? g->white : g->black];
				met = true;
			}
			result += g->points[side];
			wins += g->played && g->points[side] > g->points[!side];
		}
		result = met ? result : s->t.best_of;
		buchholz += opponent;
		berger_sum += result * opponent;
		lowest = opponent < lowest || round == 1 ? opponent : lowest;
	}
	ck_assert_int_eq(row->points, own);
	ck_assert_int_eq(row->board_points, s->board_points[e]);
	ck_assert_int_eq(row->buchholz, buchholz);
	ck_assert_int_eq(row->buchholz_cut, buchholz - lowest);
	ck_assert_int_eq(row->sonneborn_berger, berger_sum);
	ck_assert_int_eq(row->wins, wins);
}

static bool is_level(const struct pairing_row *a, const struct pairing_row *b)
{
	return a->points == b->points && a->board_points == b->board_points;
}

/* The points of x against those in the table who have as many points as he, -1 if any two of
 * these haven't met. */
static int direct_points(const struct sim *s, const struct pairing_row *row, int x)
{
	int sum = 0, n = 0;

	for (int i = 0; i < s->t.n; i++)
		for (int k = 0; k < i; k++)
			if (is_level(&row[i], &row[x]) && is_level(&row[k], &row[x])) {
				bool met = false;

				for (int j = 0; j < s->t.n_games; j++) {
					const struct pairing_game *g = &s->game[j];
					int a = row[i].entry, b = row[k].entry, e = row[x].entry;

					if (!((g->white == a && g->black == b) ||
					      (g->white == b && g->black == a)) ||
					    g->annulled)
						continue;
					met |= g->played;
					sum += g->white == e ? g->points[0] : 0;
					sum += g->black == e ? g->points[1] : 0;
				}
				if (!met)
					return -1;
				n++;
			}
	return n ? sum : -1;
}

START_TEST(tables_of_random_tournaments)
{
	for (int i = 0; i < 500; i++) {
		struct arena a = { 0 };
		struct pairing_row *row;
		struct pairing_pair *v;
		int n, round = 0, players = 2 + sim_below(12);

		sim_begin(&sim, PAIRING_SWISS, players, 0);
		sim_boards(&sim, i % 2 ? 1 : 1 + sim_below(SIM_BOARDS));
		sim.team = i % 4 == 1 ? 2 + sim_below(SIM_BOARDS - 1) : 0;
		sim.withdraw = sim_below(10);
		sim.absent = sim_below(10);
		sim.forfeit = sim_below(30);
		sim.annul = sim_below(20);
		sim.late = sim_below(40);
		sim.asked = sim_below(100);
		for (int rounds = 1 + sim_below(players); round < rounds; round++) {
			sim_between(&sim, round + 1);
			if (pairing_make(&sim.t, round + 1, &a, &v, &n) != 0)
				break;
			sim_play(&sim, round + 1, v, n);
		}
		pairing_table(&sim.t, &a, &row);
		for (int k = 0; k < sim.t.n; k++) {
			check_sums(&sim, &row[k], round);
			ck_assert_int_eq(row[k].place, k + 1);
			ck_assert_int_eq(row[k].head_to_head, direct_points(&sim, row, k));
			if (!k)
				continue;
			int by = judge(&row[k - 1], &row[k]);
			ck_assert(by > 0 ||
			          (by == 0 && row[k].shared && row[k - 1].shared &&
			           sim.entry[row[k - 1].entry].lot < sim.entry[row[k].entry].lot));
		}
		arena_release(&a);
	}
}
END_TEST

START_TEST(results_that_left_the_table)
{
	struct arena a = { 0 };
	struct pairing_row *row;
	char got[100];

	sim_begin(&sim, PAIRING_ROUND_ROBIN, 4, 3);
	sim.entry[0].void_results = sim.entry[0].withdrawn = true;
	add_game(&sim, "1 1 1 4");
	add_game(&sim, "1 2 = 3");
	add_game(&sim, "2 4 1 3");
	add_game(&sim, "3 2 1 4");
	pairing_table(&sim.t, &a, &row);
	write_table(got, row, 4);
	ck_assert_str_eq(got, "2 4 3 1");
	ck_assert_int_eq(row[0].points, 3);
	ck_assert_int_eq(row[1].points, 2);
	ck_assert_int_eq(row[1].games, 2);
	ck_assert_int_eq(row[3].place, 0);
	ck_assert_int_eq(row[3].points, 0);
	arena_release(&a);
}
END_TEST

/* Four boards of two teams: the results of White and what comes out of them. */
static const struct {
	const char *games;
	int points[2], boards[2];
} teams[] = {
	{ "1111", { 1, 1 }, { 4, 4 } },   { "1010", { 2, 0 }, { 8, 0 } },
	{ "====", { 1, 1 }, { 4, 4 } },   { "1===", { 2, 0 }, { 5, 3 } },
	{ "=1==", { 0, 2 }, { 3, 5 } },   { "+2==", { 2, 0 }, { 4, 2 } },
	{ "1?==", { -1, -1 }, { 4, 2 } }, { "2222", { 0, 0 }, { 0, 0 } },
};

START_TEST(team_match)
{
	struct pairing_game match = { .round = 1, .white = 4, .black = 2 };
	char text[] = "1 1 = 2";

	sim_begin(&sim, PAIRING_SWISS, 8, 3);
	for (int i = 0; i < 4; i++) {
		text[4] = teams[_i].games[i];
		add_game(&sim, text);
	}
	pairing_team_result(sim.game, 4, &match);
	for (int team = 0; team < 2; team++) {
		ck_assert_int_eq(match.points[team], teams[_i].points[team]);
		ck_assert_int_eq(match.boards[team], teams[_i].boards[team]);
	}
	ck_assert_int_eq(match.played, teams[_i].games[3] != '2');
	match.black = PAIRING_BYE;
	pairing_team_result(NULL, 4, &match);
	ck_assert(!match.played && match.points[0] == 2 && match.points[1] == 0);
	ck_assert(match.boards[0] == 4 && match.boards[1] == 0);
}
END_TEST

#define LOOP(t, test, table)                                                                       \
	tcase_add_loop_test(t, test, 0, (int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	Suite *s = suite_create("tournament");
	TCase *t = tcase_create("pairs and tables");

	tcase_set_timeout(t, 300);
	LOOP(t, berger_table, berger);
	tcase_add_test(t, everybody_meets);
	LOOP(t, one_against_many, simuls);
	LOOP(t, round_counts, counts);
	LOOP(t, knockout_match, matches);
	tcase_add_test(t, knockout_rounds);
	LOOP(t, table_order, tables);
	tcase_add_test(t, tables_of_random_tournaments);
	tcase_add_test(t, results_that_left_the_table);
	LOOP(t, team_match, teams);
	suite_add_tcase(s, t);
	return suite_run(s);
}
