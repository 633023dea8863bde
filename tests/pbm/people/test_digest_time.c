/* When digests are sent: hours in timezones, on days with a clock change, too. */
#include <check.h>
#include <stdlib.h>

#include "pbm/base/clock.h"
#include "pbm/people/digest_time.h"
#include "tests/util/util.h"

static const struct {
	const char *digest, *zone, *after, *next; /* NULL: never */
} rows[] = {
	{ "08:00", "UTC", "2026-12-01T07:59:59Z", "2026-12-01T08:00:00Z" },
	{ "08:00", "UTC", "2026-12-01T08:00:00Z", "2026-12-02T08:00:00Z" },
	{ "08:00", "UTC", "2026-12-01T23:00:00Z", "2026-12-02T08:00:00Z" },
	{ "00:00", "UTC", "2027-12-31T00:00:00Z", "2028-01-01T00:00:00Z" },
	{ "23:59", "UTC", "2028-02-28T23:59:00Z", "2028-02-29T23:59:00Z" },
	{ "08:00", "Europe/Berlin", "2026-12-01T00:00:00Z", "2026-12-01T07:00:00Z" },
	{ "08:00", "Europe/Berlin", "2027-07-01T00:00:00Z", "2027-07-01T06:00:00Z" },
	{ "08:00", "Pacific/Kiritimati", "2026-12-01T17:59:59Z", "2026-12-01T18:00:00Z" },
	{ "08:00", "Pacific/Pago_Pago", "2026-12-01T00:00:00Z", "2026-12-01T19:00:00Z" },
	{ "08:15", "Asia/Kathmandu", "2026-12-01T00:00:00Z", "2026-12-01T02:30:00Z" },
	/* The clocks go forward at 02:00: 02:30 is 03:30 that day. */
	{ "02:30", "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T01:30:00Z" },
	{ "02:30", "Europe/Berlin", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z" },
	{ "03:00", "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T01:00:00Z" },
	/* They go back at 03:00: 02:30 comes twice, and the first one counts. */
	{ "02:30", "Europe/Berlin", "2027-10-30T12:00:00Z", "2027-10-31T00:30:00Z" },
	{ "02:30", "Europe/Berlin", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z" },
	{ "23:00", "America/New_York", "2027-03-14T04:00:00Z", "2027-03-15T03:00:00Z" },
	/* Half an hour: Lord Howe Island. */
	{ "02:15", "Australia/Lord_Howe", "2027-10-02T00:00:00Z", "2027-10-02T15:45:00Z" },
	{ "08:00", "Nowhere/Atlantis", "2026-12-01T00:00:00Z", "2026-12-01T08:00:00Z" },
	{ "off", "UTC", "2026-12-01T00:00:00Z", NULL },
	{ NULL, "UTC", "2026-12-01T00:00:00Z", NULL },
};

static int64_t instant(const char *text)
{
	int64_t t = 0;

	if (text)
		ck_assert_int_eq(clock_read_iso(text, &t, NULL), 0);
	return t;
}

START_TEST(comes_at_its_hour)
{
	struct player_setting settings[] = { { "timezone", rows[_i].zone },
		                             { "digest", rows[_i].digest } };
	struct player_doc p = { .setting_count = rows[_i].digest ? 2 : 1, .settings = settings };
	char got[CLOCK_ISO_SIZE] = "never";
	int64_t t = digest_time_next(&p, instant(rows[_i].after));

	if (t)
		clock_write_iso(t, got);
	ck_assert_msg(t == instant(rows[_i].next), "row %d: %s", _i, got);
}
END_TEST

/* Ten years in a zone with clock changes: exactly one digest for each local day. */
START_TEST(comes_once_a_day)
{
	struct player_setting settings[] = { { "timezone", "America/Santiago" },
		                             { "digest", "00:00" } };
	struct player_doc p = { .setting_count = 2, .settings = settings };
	int64_t t = instant("2026-12-01T12:00:00Z");

	for (int i = 0; i < 3650; i++) {
		int64_t next = digest_time_next(&p, t);

		ck_assert_msg(i == 0 || (next - t >= 82800 && next - t <= 90000), "%d: %lld", i,
		              (long long)(next - t));
		t = next;
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("digest_time");

	tcase_add_loop_test(t, comes_at_its_hour, 0, (int)ROWS(rows));
	tcase_add_test(t, comes_once_a_day);
	return util_main(t);
}
