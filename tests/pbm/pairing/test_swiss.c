/* Swiss rounds: small ones against all pairings that there are, judged by the rules as they
 * are written; large ones by what must be true of each. */
#include <check.h>
#include <stdio.h>

#include "pbm/base/child_confine.h"
#include "tests/pbm/tournament/simulation.h"
#include "tests/util/suite.h"

/* They take ten times as long under the sanitizers. */
#define FIELDS(n) (SANITIZED ? (n) / 10 : (n))

enum { SMALL = 10, KEY = 8 * SMALL };

/* A pairing of the small field as the oracle sees it: opponents by rank. */
struct encounter {
	int n;
	int entry[SMALL]; /* by rank */
	int opponent[SMALL];
	int bye; /* a rank, or -1 */
	int breaches;
	int key[KEY], n_key; /* the smaller the better, the first number that differs decides */
};

static void rank_field(const struct sim *s, int round, struct encounter *p)
{
	*p = (struct encounter){ .bye = -1 };
	for (int points = 1000; points >= 0; points--)
		for (int i = 0; i < s->t.n; i++)
			if (sim_plays(s, i, round) && s->points[i] == points)
				p->entry[p->n++] = i;
	for (int i = 0; i < p->n; i++)
		p->opponent[i] = -1;
}

/* The first player's choice of opponent among n: lower half downwards, upper half upwards. */
static int choice_of(const int *stay, int n, int opponent)
{
	int at = 0;

	while (stay[at] != opponent)
		at++;
	return at >= n / 2 ? at - n / 2 : n - 1 - at;
}

static int without(int *v, int n, int x)
{
	int m = 0;

	for (int i = 0; i < n; i++)
		if (v[i] != x)
			v[m++] = v[i];
	return m;
}

/* Adds a bracket's numbers: pairs missing, who floats, the choices of those who stay.  Returns
 * the floats. */
static int judge_bracket(struct encounter *p, const int *bracket, int n, int *floats)
{
	int stay[SMALL], n_stay = 0, n_floats = 0;

	for (int i = 0; i < n; i++) {
		bool inside = false;

		for (int k = 0; k < n; k++)
			inside |= bracket[k] == p->opponent[bracket[i]];
		if (inside)
			stay[n_stay++] = bracket[i];
		else
			floats[n_floats++] = bracket[i];
	}
	p->key[p->n_key++] = n_floats;
	for (int i = 0; i < n; i++) {
		bool is_float = false;

		for (int k = 0; k < n_floats; k++)
			is_float |= floats[k] == bracket[i];
		p->key[p->n_key++] = is_float;
	}
	while (n_stay) {
		int first = stay[0], opponent = p->opponent[first];

		p->key[p->n_key++] = choice_of(stay, n_stay, opponent);
		n_stay = without(stay, n_stay, first);
		n_stay = without(stay, n_stay, opponent);
	}
	return n_floats;
}

static void judge(const struct sim *s, struct encounter *p)
{
	int bracket[2 * SMALL], floats[SMALL], n = 0;

	p->n_key = p->breaches = 0;
	for (int i = 0; i < p->n; i++)
		if (p->opponent[i] > i) {
			int x = p->entry[i], y = p->entry[p->opponent[i]],
			    a = sim_breaches(s, x, y), b = sim_breaches(s, y, x);

			p->breaches += a < b ? a : b;
		}
	for (int i = 0; i < p->n;) {
		int points = s->points[p->entry[i]];

		for (; i < p->n && s->points[p->entry[i]] == points; i++)
			if (i != p->bye)
				bracket[n++] = i;
		n = judge_bracket(p, bracket, n, floats);
		memcpy(bracket, floats, sizeof floats);
	}
}

static bool is_better(const struct encounter *x, const struct encounter *y)
{
	if (x->breaches != y->breaches)
		return x->breaches < y->breaches;
	for (int i = 0; i < x->n_key && i < y->n_key; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i];
	return false;
}

/* Tries all pairings of those who have no opponent yet.  *found: best has one. */
static void try_all(const struct sim *s, struct encounter *p, struct encounter *best, bool *found)
{
	int i = 0;

	while (i < p->n && (p->opponent[i] >= 0 || i == p->bye))
		i++;
	if (i == p->n) {
		judge(s, p);
		if (!*found || is_better(p, best))
			*best = *p;
		*found = true;
		return;
	}
	for (int k = i + 1; k < p->n; k++) {
		if (p->opponent[k] >= 0 || k == p->bye || s->met[p->entry[i]][p->entry[k]])
			continue;
		p->opponent[i] = k;
		p->opponent[k] = i;
		try_all(s, p, best, found);
		p->opponent[i] = p->opponent[k] = -1;
	}
}

/* The pairing that the rules want, or false. */
static bool best_pairing(const struct sim *s, int round, struct encounter *best)
{
	struct encounter p;
	bool found = false;

	rank_field(s, round, &p);
	if (p.n < 2)
		return false;
	if (p.n % 2 == 0)
		try_all(s, &p, best, &found);
	for (int i = p.n - 1; p.n % 2 && i >= 0 && !found; i--)
		if (!s->free_points[p.entry[i]]) {
			p.bye = i;
			try_all(s, &p, best, &found);
		}
	return found;
}

static void check_against(const struct sim *s, const struct encounter *best,
                          const struct pairing_pair *v, int n)
{
	int breaches = 0;

	ck_assert_int_eq(n, (best->n + 1) / 2);
	for (int i = 0, rank = 0; i < n; i++, rank++) {
		while (rank == best->bye || (rank < best->n && best->opponent[rank] < rank))
			rank++;
		if (v[i].black == PAIRING_BYE) {
			ck_assert_int_eq(v[i].white, best->entry[best->bye]);
			break;
		}
		int x = best->entry[rank], y = best->entry[best->opponent[rank]];
		ck_assert_msg((v[i].white == x && v[i].black == y) ||
		                      (v[i].white == y && v[i].black == x),
		              "board %d: %d-%d, not %d-%d", i + 1, v[i].white, v[i].black, x, y);
		breaches += sim_breaches(s, v[i].white, v[i].black);
	}
	ck_assert_int_eq(breaches, best->breaches);
}

/* Properties of every round of every tournament. */
static void check_round(const struct sim *s, int round, const struct pairing_pair *v, int n)
{
	bool paired[SIM_PLAYERS] = { false };
	int last = 1000;

	for (int i = 0; i < n; i++) {
		int x = v[i].white, y = v[i].black;

		ck_assert(!paired[x] && sim_plays(s, x, round));
		paired[x] = true;
		if (y == PAIRING_BYE) {
			ck_assert_int_eq(i, n - 1);
			ck_assert_int_eq(s->byes[x] + s->free_points[x], 0);
			continue;
		}
		ck_assert(!paired[y] && sim_plays(s, y, round) && !s->met[x][y]);
		paired[y] = true;
		ck_assert_int_le(sim_breaches(s, x, y), sim_breaches(s, y, x));
		int high = s->points[x] > s->points[y] ? s->points[x] : s->points[y];
		ck_assert_int_le(high, last);
		last = high;
	}
	for (int i = 0; i < s->t.n; i++)
		ck_assert_int_eq(paired[i], sim_plays(s, i, round));
}

static void check_same_again(struct sim *s, int round, const struct pairing_pair *v, int n)
{
	struct arena a = { 0 };
	struct pairing_pair *again;
	int n_again;

	sim_shuffle(s);
	ck_assert_int_eq(pairing_make(&s->t, round, &a, &again, &n_again), 0);
	ck_assert_int_eq(n, n_again);
	ck_assert_int_eq(memcmp(v, again, (size_t)n * sizeof *v), 0);
	arena_release(&a);
}

/* Plays a tournament until its end, or until nobody can be paired.  Returns the rounds. */
static int play(struct sim *s, bool all_pairings)
{
	for (int round = 1; round <= s->t.rounds; round++) {
		struct arena a = { 0 };
		struct pairing_pair *v;
		struct encounter best;
		int n;

		sim_between(s, round);
		int err = pairing_make(&s->t, round, &a, &v, &n);
		if (all_pairings && s->t.n <= SMALL) {
			bool possible = best_pairing(s, round, &best);

			ck_assert_int_eq(err, possible ? 0 : PAIRING_NO_PAIRING);
			if (possible)
				check_against(s, &best, v, n);
		}
		if (err) {
			arena_release(&a);
			return round - 1;
		}
		check_round(s, round, v, n);
		check_same_again(s, round, v, n);
		sim_play(s, round, v, n);
		arena_release(&a);
	}
	return s->t.rounds;
}

static struct sim sim;

START_TEST(small_fields_against_all_pairings)
{
	for (int i = 0; i < FIELDS(1500); i++) {
		int n = 2 + sim_below(SMALL - 1);

		sim_begin(&sim, PAIRING_SWISS, n, n + 1);
		sim_boards(&sim, i % 3 ? 1 : 1 + sim_below(SIM_BOARDS));
		sim.team = i % 3 == 1 ? 2 + sim_below(SIM_BOARDS - 1) : 0;
		if (i % 2) {
			sim.withdraw = sim_below(10);
			sim.absent = sim_below(20);
			sim.forfeit = sim_below(20);
			sim.annul = sim_below(5);
			sim.late = 30;
			sim.asked = sim_below(100);
		}
		play(&sim, true);
	}
}
END_TEST

/* With at most half as many rounds as players nobody runs out of opponents. */
START_TEST(full_fields_end)
{
	for (int i = 0; i < FIELDS(300); i++) {
		int n = 4 + sim_below(i % 10 ? 40 : 197), rounds = i % 10 || n < 9 ? n / 2 : 9;

		sim_begin(&sim, PAIRING_SWISS, n, rounds < n / 2 ? rounds : n / 2);
		sim_boards(&sim, n > 60 ? 1 : 1 + i % SIM_BOARDS);
		ck_assert_int_eq(play(&sim, false), sim.t.rounds);
	}
}
END_TEST

START_TEST(disturbed_fields)
{
	for (int i = 0; i < FIELDS(2000); i++) {
		int n = 4 + sim_below(i % 20 ? 30 : 197), rounds = n / 2 < 9 ? n / 2 : 9;

		sim_begin(&sim, PAIRING_SWISS, n, rounds);
		sim_boards(&sim, i % 3 ? 1 : 1 + sim_below(SIM_BOARDS));
		sim.team = i % 3 == 1 ? 2 + sim_below(SIM_BOARDS - 1) : 0;
		sim.withdraw = sim_below(6);
		sim.absent = sim_below(8);
		sim.forfeit = sim_below(15);
		sim.annul = sim_below(3);
		sim.late = sim_below(60);
		sim.asked = sim_below(100);
		play(&sim, false);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("swiss");
	TCase *t = tcase_create("rounds");

	tcase_set_timeout(t, 600);
	tcase_add_test(t, small_fields_against_all_pairings);
	tcase_add_test(t, full_fields_end);
	tcase_add_test(t, disturbed_fields);
	suite_add_tcase(s, t);
	return suite_run(s);
}
