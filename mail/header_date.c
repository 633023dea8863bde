/* The Date field: "Tue, 1 Dec 2026 17:00:00 +0100 (CET)". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "mail/header.h"

static const struct {
	const char *name;
	int hours;
} zones[] = {
	{ "UT", 0 },   { "GMT", 0 },  { "UTC", 0 },  { "Z", 0 },    { "EST", -5 }, { "EDT", -4 },
	{ "CST", -6 }, { "CDT", -5 }, { "MST", -7 }, { "MDT", -6 }, { "PST", -8 }, { "PDT", -7 },
};

/* "Jan" to 0 … "Dec" to 11, or -1. */
static int month_of(const char *name)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";

	for (int i = 0; i < 12; i++) {
		if (strncasecmp(name, names + 3 * i, 3) == 0)
			return i;
	}
	return -1;
}

/* Seconds east of UTC.  An unknown zone counts as -0000 (RFC 5322 §4.3). */
static int zone_of(const char *s)
{
	if ((*s == '+' || *s == '-') && strspn(s + 1, "0123456789") >= 4) {
		int n = atoi((char[]){ s[1], s[2], s[3], s[4], '\0' });

		return (n / 100 * 60 + n % 100) * 60 * (*s == '-' ? -1 : 1);
	}
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
		size_t n = strlen(zones[i].name);

		if (strncasecmp(s, zones[i].name, n) == 0 && (s[n] == '\0' || s[n] == ' '))
			return zones[i].hours * 3600;
	}
	return 0;
}

/* RFC 5322 §4.3: years of two and three digits. */
static int full_year(int y)
{
	if (y < 50)
		return y + 2000;
	return y < 1000 ? y + 1900 : y;
}

int64_t header_date(const char *value)
{
	struct tm tm = { 0 };
	char month[4];
	int n = 0, year;
	const char *comma = strchr(value, ',');

	if (comma)
		value = comma + 1;
	else if (strcspn(value, "0123456789") < strlen(value))
		value += strcspn(value, "0123456789");
	if (sscanf(value, "%2d%*[ -]%3[A-Za-z]%*[a-z. -]%4d %2d:%2d%n", &tm.tm_mday, month, &year,
	           &tm.tm_hour, &tm.tm_min, &n) != 5)
		return 0;
	value += n;
	if (*value == ':' && sscanf(value, ":%2d%n", &tm.tm_sec, &n) == 1)
		value += n;
	tm.tm_mon = month_of(month);
	tm.tm_year = full_year(year) - 1900;
	if (tm.tm_mon < 0 || tm.tm_mday < 1 || tm.tm_mday > 31 || year < 0 || tm.tm_hour < 0 ||
	    tm.tm_hour > 24 || tm.tm_min < 0 || tm.tm_min > 60)
		return 0;
	return (int64_t)timegm(&tm) - zone_of(value + strspn(value, " \t"));
}
