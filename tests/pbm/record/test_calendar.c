/* Time that counts: deadlines in many timezones, as tests/data/calendar has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pbm/base/clock.h"
#include "pbm/record/calendar.h"
#include "tests/util/util.h"

#define FOLDER "tests/data/calendar"
#define DAY 86400

static int64_t at(const char *text)
{
	int64_t t = 0;

	ck_assert_msg(clock_read_iso(text, &t, NULL) == 0, "%s", text);
	return t;
}

/* "from/until,from/until", or "-". */
static size_t read_rests(char *text, struct span *out)
{
	size_t n = 0;

	for (char *one; *text != '-' && (one = strsep(&text, ",")); n++) {
		char *until = strchr(one, '/');

		*until++ = '\0';
		out[n] = (struct span){ at(one), at(until) };
		if (!text)
			return n + 1;
	}
	return n;
}

static void check_deadline(char *line)
{
	char *rest = line, *from = strsep(&rest, " "), *seconds = strsep(&rest, " ");
	char *days = strsep(&rest, " "), *rests = strsep(&rest, " "), *wanted = strsep(&rest, " ");
	char got[CLOCK_ISO_SIZE];
	struct span spans[4];
	struct zone zone;
	struct calendar c = { .weekdays = *days == 'w', .zone = &zone, .rests = spans };

	ck_assert_msg(zone_read(rest, &zone), "%s", rest);
	c.n = read_rests(rests, spans);
	int64_t start = at(from), length = atoll(seconds), end = calendar_add(&c, start, length);
	ck_assert_msg(strcmp(clock_write_iso(end, got), wanted) == 0, "%s + %s (%s): %s, not %s",
	              from, seconds, rest, got, wanted);
	ck_assert_int_eq(calendar_count(&c, start, end), length);
	ck_assert_int_eq(calendar_count(&c, start, end + 1), length + 1);
	/* All ways of cutting a time in two count the same. */
	for (int64_t t = start; t < end; t += 5 * DAY + 1234)
		ck_assert_int_eq(calendar_count(&c, start, t) + calendar_count(&c, t, end), length);
}

static void check_zone(char *line)
{
	char *rest = line, *name = strsep(&rest, " "), *from = strsep(&rest, " ");
	char *until = strsep(&rest, " "), got[800];
	struct str s = STR_FIXED(got);
	struct zone zone, again;

	ck_assert(zone_is_known(name));
	zone_load(name, at(from), at(until), &zone);
	zone_write(&zone, &s);
	ck_assert_msg(strcmp(got, rest) == 0, "%s: %s, not %s", name, got, rest);
	ck_assert(zone_read(got, &again));
	ck_assert(zone_equals(&zone, &again, at(from), at(until)));
}

static int each_line(const char *file, void (*check)(char *))
{
	char *text = util_read(FOLDER, file), *rest = text, *line;
	int n = 0;

	ck_assert_ptr_nonnull(text);
	while ((line = strsep(&rest, "\n")) && *line) {
		check(line);
		n++;
	}
	free(text);
	return n;
}

START_TEST(deadlines)
{
	ck_assert_int_eq(each_line("deadlines.txt", check_deadline), 450);
}
END_TEST

START_TEST(zones)
{
	setenv("TZ", "Asia/Tokyo", 1);
	tzset();
	ck_assert_int_eq(each_line("zones.txt", check_zone), 75);
	ck_assert_str_eq(getenv("TZ"), "Asia/Tokyo");
	ck_assert_int_eq(timezone, -9 * 3600);
	unsetenv("TZ");
	zone_load("Asia/Tokyo", 0, DAY, &(struct zone){ 0 });
	ck_assert_ptr_null(getenv("TZ"));
}
END_TEST

START_TEST(days_begin)
{
	/* where midnight is skipped the day begins an hour later; where it comes twice, at the
	 * first one */
	static const struct {
		const char *zone, *day, *begin;
	} rows[] = {
		{ "UTC", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z" },
		{ "Europe/Berlin", "2024-03-31T00:00:00Z", "2024-03-30T23:00:00Z" },
		{ "Europe/Berlin", "2024-04-01T00:00:00Z", "2024-03-31T22:00:00Z" },
		{ "Africa/Cairo", "2024-04-26T00:00:00Z", "2024-04-25T22:00:00Z" },
		{ "America/Santiago", "2023-09-03T00:00:00Z", "2023-09-03T04:00:00Z" },
		{ "America/Havana", "2024-11-03T00:00:00Z", "2024-11-03T04:00:00Z" },
		{ "Pacific/Kiritimati", "2024-01-01T00:00:00Z", "2023-12-31T10:00:00Z" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zone z;
		char got[CLOCK_ISO_SIZE];
		int64_t day = at(rows[i].day) / DAY;

		zone_load(rows[i].zone, at("2023-01-01T00:00:00Z"), at("2025-01-01T00:00:00Z"), &z);
		int64_t t = zone_day_start(&z, day);
		ck_assert_msg(strcmp(clock_write_iso(t, got), rows[i].begin) == 0, "%s: %s",
		              rows[i].zone, got);
		ck_assert_int_eq(zone_day(&z, t), day);
		ck_assert_int_lt(zone_day(&z, t - 1), day);
	}
}
END_TEST

START_TEST(names_of_zones)
{
	static const char *const bad[] = {
		"",          "utc",           "Berlin",      "../UTC",        "posix/UTC",
		"localtime", "Europe",        "/etc/passwd", "Europe/../UTC", "Europe/Bonn",
		"tzdata.zi", "Europe/ Berlin"
	};
	struct zone z;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		ck_assert_msg(!zone_is_known(bad[i]), "%s", bad[i]);
		zone_load(bad[i], 0, DAY, &z);
		ck_assert_int_eq(zone_local(&z, DAY), DAY);
	}
	ck_assert(zone_is_known("UTC"));
	ck_assert(zone_is_known("America/Argentina/Buenos_Aires"));
}
END_TEST

START_TEST(damaged_zones)
{
	static const char *const bad[] = {
		"",
		"0100",
		"+01",
		"+0160",
		"+2700",
		"+0100 ",
		"+0100 2027-03-28T01:00:00Z",
		"+0100 2027-03-28T01:00:00Z ",
		"+0100  2027-03-28T01:00:00Z +0200",
		"+0100 2027-03-28 +0200",
		"+0100 2027-03-28T01:00:00Z +0200 2027-03-28T01:00:00Z +0100",
		"+0100x",
	};
	struct zone z;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(!zone_read(bad[i], &z), "%s", bad[i]);
	ck_assert(zone_read("+2600", &z)); /* the greatest */
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("calendar");

	tcase_add_test(t, deadlines);
	tcase_add_test(t, zones);
	tcase_add_test(t, days_begin);
	tcase_add_test(t, names_of_zones);
	tcase_add_test(t, damaged_zones);
	return util_main(t);
}
