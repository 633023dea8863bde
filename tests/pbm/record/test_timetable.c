/* When a player is reminded and warned, and when the game ends, as a table. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/record/timetable.h"
#include "tests/util/suite.h"

#define HALF (TIMETABLE_DAY / 2)

/* Days a move, days in reserve, nag and forfeit (0: as usual), how late each run
 * comes, in half days; what then happens, in half days since the turn began: r a
 * reminder, u the end of the time, w the warning, x the end. */
static const struct {
	int days, bank, nag, forfeit, late;
	bool alone;
	const char *wanted;
} rows[] = {
	{ 7, 30, 0, 0, 0, false, "r12 r72 u74 w86 x88" },
	{ 7, 0, 0, 0, 0, false, "r12 u14 w26 x28" },
	{ 1, 0, 0, 0, 0, false, "u2 w14 x16" },
	{ 1, 2, 0, 0, 0, false, "r2 r4 u6 w18 x20" },
	{ 1, 30, 0, 0, 0, false, "r2 r60 u62 w74 x76" },
	{ 3, 10, 0, 0, 0, false, "r4 r24 u26 w38 x40" },
	{ 7, 365, 0, 0, 0, false, "r12 r742 u744 w756 x758" },
	/* as was agreed */
	{ 7, 30, 2, 0, 0, false, "r4 r72 u74 w86 x88" },
	{ 7, 30, 20, 0, 0, false, "r40 r72 u74 w86 x88" },
	{ 7, 30, 60, 0, 0, false, "u74 w86 x88" },
	{ 7, 30, 0, 1, 0, false, "r12 r72 u74 w74 x76" },
	{ 7, 30, 0, 60, 0, false, "r12 r72 u74 w192 x194" },
	{ 1, 0, 0, 1, 0, false, "u2 w2 x4" },
	/* nobody waits */
	{ 7, 30, 0, 0, 0, true, "w86 x88" },
	/* a caller who comes late does one thing a day, and never ends a game unwarned */
	{ 7, 30, 0, 0, 1, false, "r13 r73 u75 w87 x90" },
	{ 7, 30, 0, 0, 10, false, "r22 r82 u84 w96 x108" },
	{ 7, 30, 0, 0, 200, false, "r212 u274 w414 x616" },
	{ 1, 0, 0, 0, 500, false, "u502 w514 x1016" },
};

static void run_clock(struct turn_clock *c, int late, struct str *out)
{
	static const char letters[] = {
		[DUTY_REMIND] = 'r', [DUTY_TIME_UP] = 'u', [DUTY_WARN] = 'w', [DUTY_END] = 'x'
	};
	int64_t now = c->started, at;

	for (int i = 0; i < 20; i++) {
		enum duty d = timetable_next(c, &at);

		ck_assert_int_ge(at, now - late * HALF);
		now = at + late * HALF;
		str_addf(out, "%s%c%d", out->len ? " " : "", letters[d],
		         (int)((now - c->started) / HALF));
		if (d == DUTY_END)
			return;
		if (d == DUTY_REMIND) {
			ck_assert_int_ge(now - c->reminded, TIMETABLE_DAY);
			c->reminders++;
			c->reminded = now;
		} else if (d == DUTY_TIME_UP) {
			c->up = now;
		} else {
			c->warned = now;
		}
	}
	ck_abort_msg("it never ends: %s", out->data);
}

START_TEST(a_turn)
{
	char got[300];
	struct str s = STR_FIXED(got);
	struct turn_clock c = {
		.started = 1796119200,
		.free = (int64_t)rows[_i].days * TIMETABLE_DAY,
		.bank = (int64_t)rows[_i].bank * TIMETABLE_DAY,
		.alone = rows[_i].alone,
		.nag = rows[_i].nag ? (int64_t)rows[_i].nag * TIMETABLE_DAY
		                    : timetable_nag(rows[_i].days),
		.forfeit = (int64_t)(rows[_i].forfeit ? rows[_i].forfeit : TIMETABLE_FORFEIT) *
		           TIMETABLE_DAY,
	};

	run_clock(&c, rows[_i].late, &s);
	ck_assert_msg(strcmp(got, rows[_i].wanted) == 0, "row %d: %s, not %s", _i, got,
	              rows[_i].wanted);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("timetable");
	TCase *t = tcase_create("timetable");

	tcase_add_loop_test(t, a_turn, 0, (int)(sizeof rows / sizeof rows[0]));
	suite_add_tcase(s, t);
	return suite_run(s);
}
