/* The rules of a ladder, as tables. */
#include <check.h>

#include "pbm/pairing/ladder.h"
#include "tests/util/suite.h"

#define DAY INT64_C(86400)
#define NOW (1000 * DAY)

/* Up to two challenges: from, to, days since their ends, -1: running. */
static const struct {
	int from, to;
	struct {
		int from, to, days;
	} v[2];
	int n;
	enum ladder_answer wanted;
	int which;
} rows[] = {
	{ 5, 5, { { 0 } }, 0, LADDER_SELF, 0 },
	{ 5, 6, { { 0 } }, 0, LADDER_BELOW, 0 },
	{ 5, 4, { { 0 } }, 0, LADDER_YES, 0 },
	{ 5, 2, { { 0 } }, 0, LADDER_YES, 0 },
	{ 5, 1, { { 0 } }, 0, LADDER_FAR, 0 },
	{ 1, 0, { { 0 } }, 0, LADDER_YES, 0 },
	/* one at a time each way */
	{ 5, 4, { { 5, 3, -1 } }, 1, LADDER_OWN_RUNS, 0 },
	{ 5, 4, { { 6, 4, -1 } }, 1, LADDER_HAS_ONE, 0 },
	{ 5, 4, { { 6, 5, -1 } }, 1, LADDER_YES, 0 },
	{ 5, 4, { { 4, 3, -1 } }, 1, LADDER_YES, 0 },
	{ 5, 4, { { 5, 3, 1 }, { 6, 4, -1 } }, 2, LADDER_HAS_ONE, 1 },
	/* the same two */
	{ 5, 4, { { 5, 4, 29 } }, 1, LADDER_SOON, 0 },
	{ 5, 4, { { 4, 5, 29 } }, 1, LADDER_SOON, 0 },
	{ 5, 4, { { 4, 5, -1 } }, 1, LADDER_SOON, 0 },
	{ 5, 4, { { 5, 4, 30 } }, 1, LADDER_YES, 0 },
	{ 5, 4, { { 5, 3, 1 }, { 6, 4, 1 } }, 2, LADDER_YES, 1 },
};

START_TEST(who_may)
{
	struct ladder_challenge v[2];
	int which = 0;

	for (int i = 0; i < rows[_i].n; i++)
		v[i] = (struct ladder_challenge){ rows[_i].v[i].from, rows[_i].v[i].to,
			                          rows[_i].v[i].days < 0
			                                  ? 0
			                                  : NOW - rows[_i].v[i].days * DAY };
	ck_assert_int_eq(ladder_may(v, rows[_i].n, rows[_i].from, rows[_i].to, NOW, &which),
	                 rows[_i].wanted);
	ck_assert_int_eq(which, rows[_i].which);
}
END_TEST

static const struct {
	int place, from, to, wanted;
} moves[] = {
	{ 5, 5, 2, 2 },
	{ 2, 5, 2, 3 },
	{ 3, 5, 2, 4 },
	{ 4, 5, 2, 5 },
	{ 6, 5, 2, 6 },
	{ 1, 5, 2, 1 },
	{ 5, 5, 4, 4 },
	{ 4, 5, 4, 5 },
	/* the winner stands above already */
	{ 2, 2, 5, 2 },
	{ 5, 2, 5, 5 },
	{ 3, 2, 5, 3 },
};

START_TEST(after_a_win)
{
	ck_assert_int_eq(ladder_after_win(moves[_i].place, moves[_i].from, moves[_i].to),
	                 moves[_i].wanted);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ladder");
	TCase *t = tcase_create("rules");

	tcase_add_loop_test(t, who_may, 0, (int)(sizeof rows / sizeof rows[0]));
	tcase_add_loop_test(t, after_a_win, 0, (int)(sizeof moves / sizeof moves[0]));
	suite_add_tcase(s, t);
	return suite_run(s);
}
