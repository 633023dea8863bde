/* Days of vacation: how many are used and left, and what the server may take. */
#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/record/vacation.h"
#include "tests/util/util.h"

#define DAY 86400
#define VACATIONS 5

static int64_t at(const char *text)
{
	int64_t t = 0;

	ck_assert_msg(clock_read_iso(text, &t, NULL) == 0, "%s", text);
	return t;
}

static int64_t day(const char *text)
{
	int64_t d = -1;

	ck_assert_msg(vacation_read_day(text, &d), "%s", text);
	return d;
}

START_TEST(days_are_read)
{
	static const char *const good[] = { "1970-01-01", "2024-02-29", "2026-12-20",
		                            "2028-02-29", "2000-02-29", "9999-12-31" };
	static const char *const bad[] = {
		"",           "2026-02-29",  "2026-2-1",      "2026-13-01",
		"2026-00-10", "2026-04-31",  "2100-02-29",    "20.12.2026",
		"1969-12-31", "2026-12-20 ", "2026-12-20T00", "-026-12-20",
		"2026/12/20", "tomorrow",    "2026-12-00"
	};
	int64_t d;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		ck_assert_msg(vacation_read_day(good[i], &d) && d >= 0, "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(!vacation_read_day(bad[i], &d), "%s", bad[i]);
	ck_assert_int_eq(day("2028-03-01") - day("2028-02-28"), 2);
	for (int year = 1990; year < 2110; year++) {
		ck_assert_int_eq(vacation_year(vacation_new_year(year)), year);
		ck_assert_int_eq(vacation_year(vacation_new_year(year) - 1), year - 1);
	}
}
END_TEST

/* Vacations as "first last" days; what is left in two years. */
static const struct {
	const char *zone, *days[VACATIONS][2];
	int left_2026, left_2027;
} years[] = {
	{ "UTC", { { NULL } }, 30, 30 },
	{ "UTC", { { "2026-12-20", "2027-01-03" } }, 18, 27 },
	{ "UTC", { { "2026-12-20", "2026-12-20" } }, 29, 30 },
	{ "UTC", { { "2026-12-31", "2027-01-01" } }, 29, 29 },
	{ "UTC", { { "2026-12-02", "2027-01-30" } }, 0, 0 },
	/* days of 23 and of 25 hours are days */
	{ "Europe/Berlin", { { "2026-03-25", "2026-04-03" } }, 20, 30 },
	{ "Europe/Berlin", { { "2026-03-29", "2026-03-29" } }, 29, 30 },
	{ "Europe/Berlin", { { "2026-10-25", "2026-10-25" } }, 29, 30 },
	{ "America/New_York", { { "2026-10-30", "2026-11-02" } }, 26, 30 },
	{ "Pacific/Auckland", { { "2026-12-31", "2027-01-01" } }, 29, 29 },
	{ "Pacific/Auckland",
	  { { "2026-04-01", "2026-04-10" }, { "2026-09-20", "2026-09-30" } },
	  9,
	  30 },
};

START_TEST(days_are_counted)
{
	struct arena a = { 0 };
	struct player_doc p = { 0 };
	struct zone z;

	zone_load(years[_i].zone, at("2025-12-01T00:00:00Z"), at("2028-02-01T00:00:00Z"), &z);
	for (int i = 0; i < VACATIONS && years[_i].days[i][0]; i++) {
		struct player_vacation v = {
			.from = zone_day_start(&z, day(years[_i].days[i][0])),
			.until = zone_day_start(&z, day(years[_i].days[i][1]) + 1),
		};

		vacation_add(&a, &p, &v, at("2026-01-01T00:00:00Z"));
	}
	ck_assert_int_eq(vacation_left(&p, &z, 2026), years[_i].left_2026);
	ck_assert_int_eq(vacation_left(&p, &z, 2027), years[_i].left_2027);
	arena_release(&a);
}
END_TEST

/* Days that the server takes one after the other, when the clock runs out again as soon as
 * they are over; then after so many days of play again. */
START_TEST(of_its_own_accord)
{
	struct arena a = { 0 };
	struct player_doc p = { 0 };
	struct player_vacation v;
	int64_t t = at("2026-02-20T10:00:00Z"), first = t;
	static const int pieces[] = { 7, 7, 7, 7, 2 };

	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
		ck_assert(vacation_automatic(&p, t, &v));
		ck_assert(v.automatic);
		ck_assert_int_eq(v.from, t);
		ck_assert_int_eq(v.until, t + pieces[i] * DAY);
		vacation_add(&a, &p, &v, t);
		t = v.until;
		ck_assert_int_eq(vacation_until(&p, first), t);
	}
	ck_assert(!vacation_automatic(&p, t, &v));
	ck_assert(!vacation_automatic(&p, first + 358 * DAY, &v));
	ck_assert(vacation_automatic(&p, first + 359 * DAY, &v));
	ck_assert_int_eq(v.until - v.from, DAY);
	ck_assert(vacation_automatic(&p, first + 365 * DAY, &v));
	ck_assert_int_eq(v.until - v.from, 7 * DAY);
	arena_release(&a);
}
END_TEST

START_TEST(before_a_planned_one)
{
	struct arena a = { 0 };
	struct player_doc p = { 0 };
	int64_t t = at("2026-02-20T10:00:00Z");
	struct player_vacation v = { .from = t + 3 * DAY, .until = t + 13 * DAY }, got;

	vacation_add(&a, &p, &v, t);
	ck_assert(vacation_automatic(&p, t, &got));
	ck_assert_int_eq(got.until, v.from); /* the planned one goes on from there */
	vacation_add(&a, &p, &got, t);
	ck_assert_uint_eq(p.vacation_count, 2);
	ck_assert_int_eq(p.vacations[0].from, t);
	ck_assert_int_eq(vacation_until(&p, t), v.until);
	ck_assert_int_eq(vacation_until(&p, t - 1), 0);
	ck_assert(!vacation_automatic(&p, t + 5 * DAY, &got)); /* it lasts */
	ck_assert(vacation_end(&a, &p, t + DAY));
	ck_assert_uint_eq(p.vacation_count, 1); /* the planned one is cancelled */
	ck_assert_int_eq(p.vacations[0].until, t + DAY);
	ck_assert_int_eq(vacation_until(&p, t + DAY), 0);
	ck_assert(!vacation_end(&a, &p, t + DAY));
	/* a vacation that is over for long is forgotten */
	vacation_add(&a, &p, &got, t + 1000 * DAY);
	ck_assert_uint_eq(p.vacation_count, 1);
	arena_release(&a);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("vacation");

	tcase_add_test(t, days_are_read);
	tcase_add_loop_test(t, days_are_counted, 0, (int)(sizeof years / sizeof years[0]));
	tcase_add_test(t, of_its_own_accord);
	tcase_add_test(t, before_a_planned_one);
	return util_main(t);
}
