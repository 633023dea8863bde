/* Days and stretches of time that players and documents write: what is read can be written,
 * and is the same when it is read again. */
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/base/zone.h"
#include "pbm/record/vacation.h"

#define DAYS_MAX (INT64_C(8030) * 366) /* of a year with four digits, from 1970 on */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static void try_day(const char *text)
{
	int64_t day = -1;

	if (!vacation_read_day(text, &day)) {
		must(day == -1);
		return;
	}
	must(day >= 0 && day <= DAYS_MAX);
	int year = vacation_year(day);
	must(year == atoi(text));
	must(vacation_new_year(year) <= day && day < vacation_new_year(year) + 366);
}

static void try_zone(const char *text)
{
	char one[1000], two[1000];
	struct str s = STR_FIXED(one), t = STR_FIXED(two);
	struct zone z, again;

	if (!zone_read(text, &z))
		return;
	must(z.n >= 1 && z.n <= ZONE_SHIFTS);
	zone_write(&z, &s);
	must(zone_read(one, &again) && again.n == z.n);
	zone_write(&again, &t);
	must(strcmp(one, two) == 0);
	must(abs(z.v[0].offset) < ZONE_OFFSET);
	for (size_t i = 1; i < z.n; i++) {
		int64_t at = z.v[i].from, day = zone_day(&z, at);

		must(abs(z.v[i].offset) < ZONE_OFFSET && again.v[i].from == at);
		must(zone_local(&z, at) - at == z.v[i].offset);
		must(zone_day(&z, zone_day_start(&z, day)) >= day);
	}
	must(zone_equals(&z, &again, 0, INT64_C(4000000000)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	const char *text = arena_strndup(&a, (const char *)data, size);

	try_day(text);
	try_zone(text);
	arena_release(&a);
	return 0;
}
