#include "pbm/record/pgn_source.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pbm/base/utf8.h"

#define VALUE_MAX 250 /* bytes */

const struct pgn_source_tag pgn_source_tags[] = {
	{ "Event", true },     { "Site", true },   { "Date", true },   { "Round", true },
	{ "White", true },     { "Black", true },  { "Result", true }, { "WhiteElo", false },
	{ "BlackElo", false }, { "Rated", false }, { NULL, false },
};

void pgn_source_add(struct str *out, const char *name, const char *value)
{
	size_t n = utf8_cut(value, strlen(value), VALUE_MAX);

	str_addf(out, "%s: ", name);
	for (size_t i = 0; i < n; i++)
		str_add_char(out,
		             (unsigned char)value[i] < ' ' || value[i] == 0x7f ? ' ' : value[i]);
	str_add_char(out, '\n');
}

const char *pgn_source_get(struct arena *a, const char *source, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = source; p && *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (strncmp(p, name, n) == 0 && strncmp(p + n, ": ", 2) == 0)
			return arena_strndup(a, p + n + 2, strcspn(p + n + 2, "\n"));
	return NULL;
}

/* "12", or "??" for the first one. */
static bool read_part(const char *text, int *out)
{
	*out = 1;
	return strncmp(text, "??", 2) == 0 ||
	       (strspn(text, "0123456789") >= 2 && sscanf(text, "%2d", out) == 1);
}

bool pgn_source_date(const char *date, int64_t *out)
{
	int year, month, day;

	if (!date || strlen(date) != strlen("1999.12.01") || strspn(date, "0123456789") != 4 ||
	    date[4] != '.' || date[7] != '.' || sscanf(date, "%4d", &year) != 1 ||
	    !read_part(date + 5, &month) || !read_part(date + 8, &day))
		return false;
	struct tm tm = { .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day };
	*out = timegm(&tm);
	if (*out < PGN_SOURCE_OLD)
		*out = PGN_SOURCE_OLD;
	return tm.tm_mon == month - 1 && tm.tm_mday == day;
}
