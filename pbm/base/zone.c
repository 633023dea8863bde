#include "pbm/base/zone.h"

#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"

static int64_t floor_day(int64_t t)
{
	return t / CLOCK_DAY - (t % CLOCK_DAY < 0);
}

static size_t place_of(const struct zone *z, int64_t t)
{
	size_t i = 0;

	while (i + 1 < z->n && z->v[i + 1].from <= t)
		i++;
	return i;
}

int64_t zone_local(const struct zone *z, int64_t t)
{
	return z->n ? t + z->v[place_of(z, t)].offset : t;
}

int64_t zone_day(const struct zone *z, int64_t t)
{
	return floor_day(zone_local(z, t));
}

int64_t zone_day_start(const struct zone *z, int64_t day)
{
	for (size_t i = 0; i < z->n; i++) {
		int64_t t = day * CLOCK_DAY - z->v[i].offset;

		if (i && t < z->v[i].from)
			t = z->v[i].from;
		if (i + 1 == z->n || t < z->v[i + 1].from)
			return t;
	}
	return day * CLOCK_DAY;
}

bool zone_equals(const struct zone *a, const struct zone *b, int64_t from, int64_t until)
{
	const struct zone *both[] = { a, b };

	if (zone_local(a, from) != zone_local(b, from))
		return false;
	for (int k = 0; k < 2; k++)
		for (size_t i = 1; i < both[k]->n; i++) {
			int64_t t = both[k]->v[i].from;

			if (t > from && t < until && zone_local(a, t) != zone_local(b, t))
				return false;
		}
	return true;
}

void zone_write(const struct zone *z, struct str *out)
{
	for (size_t i = 0; i < z->n; i++) {
		int minutes = abs(z->v[i].offset) / 60;

		if (i)
			str_addf(out, " %s ", CLOCK_ISO(z->v[i].from));
		str_addf(out, "%c%02d%02d", z->v[i].offset < 0 ? '-' : '+', minutes / 60,
		         minutes % 60);
	}
}

/* The bytes read, 0: no offset. */
static size_t read_offset(const char *text, int *out)
{
	int n = 0;

	if (*text != '+' && *text != '-')
		return 0;
	for (int i = 1; i <= 4; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		n = 10 * n + (text[i] - '0');
	}
	if (n % 100 >= 60 || n > 2600)
		return 0;
	*out = (n / 100 * 60 + n % 100) * (*text == '-' ? -60 : 60);
	return 5;
}

bool zone_read(const char *text, struct zone *out)
{
	struct zone z = { 0 };
	size_t n = read_offset(text, &z.v[0].offset);

	for (z.n = 1; n && text[n]; z.n++) {
		char at[CLOCK_ISO_SIZE];
		size_t len = strcspn(text + n + 1, " ");

		if (z.n == ZONE_SHIFTS || text[n] != ' ' || len + 1 > sizeof at)
			return false;
		memcpy(at, text + n + 1, len);
		at[len] = '\0';
		n += 1 + len;
		if (text[n] != ' ' || clock_read_iso(at, &z.v[z.n].from, NULL) < 0 ||
		    (z.n > 1 && z.v[z.n].from <= z.v[z.n - 1].from))
			return false;
		size_t used = read_offset(text + n + 1, &z.v[z.n].offset);
		n = used ? n + 1 + used : 0;
	}
	if (!n)
		return false;
	*out = z;
	return true;
}
