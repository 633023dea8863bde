/* Perfect matchings of least cost, against all perfect matchings of small random graphs; and
 * in large graphs that are made of odd cycles. */
#include <check.h>
#include <stdlib.h>

#include "pbm/pairing/matching.h"
#include "tests/util/suite.h"

enum { SMALL = 12, LARGE = 200 };

static uint32_t seed = 1;

static int below(int n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return (int)(seed % (uint32_t)n);
}

/* The least cost of matching all vertices of the set, by trying each partner of the first. */
static int least(int n, int cost[][SMALL], unsigned left, int *known)
{
	int first = 0, best = MATCHING_NO;

	if (!left)
		return 0;
	if (known[left] >= 0)
		return known[left];
	while (!(left >> first & 1))
		first++;
	for (int v = first + 1; v < n; v++) {
		if (!(left >> v & 1) || cost[first][v] == MATCHING_NO)
			continue;
		int rest = least(n, cost, left & ~(1U << first) & ~(1U << v), known);
		if (rest != MATCHING_NO && rest + cost[first][v] < best)
			best = rest + cost[first][v];
	}
	return known[left] = best;
}

static int least_of_all(int n, int cost[][SMALL])
{
	static int known[1 << SMALL];

	for (int i = 0; i < 1 << n; i++)
		known[i] = -1;
	return least(n, cost, (1U << n) - 1, known);
}

static void check_matching(const struct matching *m, int n, int cost[][SMALL], int wanted)
{
	int sum = 0;

	for (int u = 0; u < n; u++) {
		int v = matching_mate(m, u);

		ck_assert_int_ge(v, 0);
		ck_assert_int_eq(matching_mate(m, v), u);
		ck_assert_int_ne(cost[u][v], MATCHING_NO);
		sum += u < v ? cost[u][v] : 0;
	}
	ck_assert_int_eq(sum, wanted);
}

/* Takes edges of a random vertex away, which the matching must survive or refuse as all
 * matchings say. */
static void narrow_at_random(struct matching *m, int n, int cost[][SMALL], int most)
{
	bool allowed[SMALL];
	int u = below(n), kept[SMALL];

	for (int v = 0; v < n; v++) {
		allowed[v] = below(2);
		kept[v] = cost[u][v];
		if (!allowed[v])
			cost[u][v] = cost[v][u] = MATCHING_NO;
	}
	int wanted = least_of_all(n, cost);
	bool possible = matching_narrow(m, u, allowed, most);
	ck_assert_int_eq(possible, wanted <= most);
	if (!possible)
		for (int v = 0; v < n; v++)
			cost[u][v] = cost[v][u] = kept[v];
	check_matching(m, n, cost, least_of_all(n, cost));
}

START_TEST(agrees_with_all_matchings)
{
	for (int round = 0; round < 3000; round++) {
		struct arena a = { 0 };
		int n = 2 * (1 + below(SMALL / 2)), cost[SMALL][SMALL], edges = 1 + below(10),
		    dearest = 1 + below(4) * below(8);
		struct matching *m = matching_new(n, &a);

		for (int u = 0; u < n; u++)
			for (int v = 0; v <= u; v++) {
				bool edge = v < u && below(10) < edges;

				cost[u][v] = cost[v][u] = edge ? below(dearest) : MATCHING_NO;
				matching_cost(m, u, v, cost[u][v]);
			}
		int wanted = least_of_all(n, cost);
		if (wanted != MATCHING_NO && wanted > 0)
			ck_assert_int_eq(matching_find(m, wanted - 1), MATCHING_NO);
		ck_assert_int_eq(matching_find(m, MATCHING_NO - 1), wanted);
		int most = wanted + below(3) * below(3);
		for (int i = 0; i < 2 * n && wanted != MATCHING_NO; i++)
			narrow_at_random(m, n, cost, most);
		arena_release(&a);
	}
}
END_TEST

/* Triangles in a row, each joined to the next by one edge: blossoms lie in blossoms. */
START_TEST(triangles_in_a_row)
{
	struct arena a = { 0 };
	struct matching *m = matching_new(LARGE, &a);

	for (int u = 0; u + 3 < LARGE; u += 2) {
		matching_cost(m, u, u + 1, 1);
		matching_cost(m, u + 1, u + 2, 0);
		matching_cost(m, u, u + 2, 0);
	}
	matching_cost(m, LARGE - 2, LARGE - 1, 0);
	ck_assert_int_eq(matching_find(m, MATCHING_NO - 1), LARGE / 2 - 1);
	arena_release(&a);
}
END_TEST

/* Two odd cliques have no perfect matching; with one edge between them they have. */
START_TEST(odd_cliques)
{
	for (int joined = 0; joined < 2; joined++) {
		struct arena a = { 0 };
		struct matching *m = matching_new(LARGE, &a);

		for (int u = 0; u < LARGE; u++)
			for (int v = 0; v < u; v++)
				if ((u < LARGE / 2 - 1) == (v < LARGE / 2 - 1))
					matching_cost(m, u, v, 3);
		if (joined)
			matching_cost(m, 0, LARGE - 1, 7);
		ck_assert_int_eq(matching_find(m, MATCHING_NO - 1),
		                 joined ? 3 * (LARGE / 2 - 1) + 7 : MATCHING_NO);
		arena_release(&a);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("matching");
	TCase *t = tcase_create("graphs");

	tcase_set_timeout(t, 300);
	tcase_add_test(t, agrees_with_all_matchings);
	tcase_add_test(t, triangles_in_a_row);
	tcase_add_test(t, odd_cliques);
	suite_add_tcase(s, t);
	return suite_run(s);
}
