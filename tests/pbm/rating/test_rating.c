/* Glicko-2 against Mark Glickman's own example, and what must hold of it. */
#include <check.h>
#include <math.h>

#include "pbm/rating/glicko.h"
#include "tests/util/suite.h"

#define near(got, want, by)                                                                        \
	ck_assert_msg(fabs((got) - (want)) < (by), "%s is %f, not %f", #got, (got), (want))

START_TEST(published_example)
{
	static const struct glicko_game games[] = {
		{ { 1400, 30, 0.06 }, 1 },
		{ { 1550, 100, 0.06 }, 0 },
		{ { 1700, 300, 0.06 }, 0 },
	};
	struct glicko g = glicko_update((struct glicko){ 1500, 200, 0.06 }, games, 3, 1);

	near(g.rating, 1464.06, 0.01);
	near(g.deviation, 151.52, 0.01);
	near(g.volatility, 0.05999, 0.00001);
}
END_TEST

START_TEST(what_one_gains_the_other_loses)
{
	const struct glicko new = { GLICKO_RATING, GLICKO_DEVIATION, GLICKO_VOLATILITY };
	struct glicko win = glicko_update(new, &(struct glicko_game){ new, 1 }, 1, 0);
	struct glicko loss = glicko_update(new, &(struct glicko_game){ new, 0 }, 1, 0);
	struct glicko draw = glicko_update(new, &(struct glicko_game){ new, 0.5 }, 1, 0);

	near(win.rating - GLICKO_RATING, GLICKO_RATING - loss.rating, 1e-9);
	near(draw.rating, GLICKO_RATING, 1e-9);
	ck_assert(draw.deviation < new.deviation);
	near(glicko_expect(&new, &new), 0.5, 1e-12);
}
END_TEST

/* Games upon games of surprises: nothing leaves its bounds, nothing hangs. */
START_TEST(extremes)
{
	struct glicko a = { GLICKO_RATING, GLICKO_DEVIATION, GLICKO_VOLATILITY };

	for (int i = 0; i < 5000; i++) {
		struct glicko other = { i % 3 ? 100 : 5000,
			                i % 2 ? GLICKO_DEVIATION_MIN : GLICKO_DEVIATION, 0.06 };

		a = glicko_update(a, &(struct glicko_game){ other, i % 7 < 3 }, 1, i % 5);
		ck_assert(isfinite(a.rating) && a.rating >= 100 && a.rating <= 5000);
		ck_assert(a.deviation >= GLICKO_DEVIATION_MIN && a.deviation <= GLICKO_DEVIATION);
		ck_assert(a.volatility > 0 && a.volatility < 1);
	}
}
END_TEST

START_TEST(pauses)
{
	struct glicko g = { 1700, 60, 0.06 };

	near(glicko_after_pause(&g, 0), 60.0, 1e-9);
	near(glicko_after_pause(&g, -3), 60.0, 1e-9);
	ck_assert(glicko_after_pause(&g, 73) > 100);
	near(glicko_after_pause(&g, 1e9), GLICKO_DEVIATION, 1e-9);
	struct glicko same = glicko_update(g, NULL, 0, 10);
	near(same.rating, 1700.0, 1e-9);
	near(same.deviation, glicko_after_pause(&g, 10), 1e-9);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rating");
	TCase *t = tcase_create("glicko");

	tcase_add_test(t, published_example);
	tcase_add_test(t, what_one_gains_the_other_loses);
	tcase_add_test(t, extremes);
	tcase_add_test(t, pauses);
	suite_add_tcase(s, t);
	return suite_run(s);
}
