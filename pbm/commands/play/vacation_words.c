#include "pbm/commands/play/vacation_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "pbm/base/clock.h"
#include "pbm/base/str.h"
#include "pbm/record/vacation.h"

#define TOKENS_MAX 12

/* The first word of each line is what the others mean. */
static const char *const same[][5] = {
	{ "", "desde", "al", "y", NULL },        { "", "el", "du", "au", NULL },
	{ "", "from", "to", "on", "through" },   { "", "vom", "von", "ab", "und" },
	{ "", "for", "am", "zum", "the" },       { "until", "till", "bis", "by", "untill" },
	{ "until", "hasta", NULL, NULL, NULL },  { "now", "today", "jetzt", "heute", "sofort" },
	{ "now", "hoy", "ahora", NULL, NULL },   { "tomorrow", "morgen", "tmr", "mañana", NULL },
	{ "off", "end", "aus", "ende", "over" },
};

static const char *const months[12][3] = {
	{ "jan", "jän", "ene" },
	{ "feb" },
	{ "mar", "mär", "mrz" },
	{ "apr", "abr" },
	{ "may", "mai" },
	{ "jun" },
	{ "jul" },
	{ "aug", "ago" },
	{ "sep", "set" },
	{ "oct", "okt" },
	{ "nov" },
	{ "dec", "dez", "dic" },
};

/* Stands within a day, too: "5 de diciembre", "5th of December". */
static bool is_link(const char *s, size_t n)
{
	return (n == 2 && (strncasecmp(s, "de", 2) == 0 || strncasecmp(s, "of", 2) == 0)) ||
	       (n == 3 && strncasecmp(s, "del", 3) == 0);
}

/* The text's words.  A hyphen divides two days that are no 2026-12-20: "20.12.-3.1.", "10-20". */
static size_t split(struct arena *a, const char *text, const char *tokens[TOKENS_MAX])
{
	size_t n = 0;

	while (n < TOKENS_MAX && *(text += strspn(text, " \t,-"))) {
		size_t len = strcspn(text, " \t,"), dash = strcspn(text, "-");
		size_t digits = strspn(text, "0123456789");
		if (is_link(text, len)) {
			text += len;
			continue;
		}
		char unit = digits && digits + 1 == len ? text[digits] : '\0';

		if (n + 1 < TOKENS_MAX && (unit == 'd' || unit == 'w')) { /* "5d" */
			tokens[n++] = arena_strndup(a, text, digits);
			tokens[n++] = unit == 'd' ? "days" : "weeks";
			text += len;
			continue;
		}

		if (dash && dash < len && (memchr(text, '.', dash) || digits < 3))
			len = dash;
		tokens[n++] = arena_strndup(a, text, len);
		text += len;
	}
	return n;
}

static const char *meaning(const char *token)
{
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
		for (size_t k = 0; k < 5; k++)
			if (same[i][k] && *token && strcasecmp(token, same[i][k]) == 0)
				return same[i][0];
	return token;
}

/* 1 to 12; 0: it is none. */
static int month_of(const char *token)
{
	for (int month = 0; month < 12; month++)
		for (size_t k = 0; k < 3 && months[month][k]; k++)
			if (str_prefix(token, months[month][k]))
				return month + 1;
	return 0;
}

/* "3", "3.", "3rd"; 0: it is no day of a month. */
static int day_of(const char *token)
{
	static const char *const ends[] = { "", ".", "st", "nd", "rd", "th" };
	size_t digits = strspn(token, "0123456789");

	for (size_t i = 0; digits && digits < 3 && i < sizeof ends / sizeof ends[0]; i++)
		if (strcasecmp(token + digits, ends[i]) == 0)
			return atoi(token);
	return 0;
}

static int year_of(const char *token)
{
	return strlen(token) == 4 && strspn(token, "0123456789") == 4 ? atoi(token) : 0;
}

const char *vacation_words_day(struct arena *a, int64_t day)
{
	time_t t = (time_t)(day * CLOCK_DAY);
	struct tm tm;
	char text[20];

	gmtime_r(&t, &tm);
	strftime(text, sizeof text, "%Y-%m-%d", &tm);
	return arena_strdup(a, text);
}

/* The day in the year, or, if that is 0, the next such day.  NULL: there is none. */
static const char *write_day(struct arena *a, int year, int month, int day, int64_t today)
{
	int first = year ? year : vacation_year(today), last = year ? year : first + 1;
	int64_t found;

	for (int y = first; y <= last; y++) {
		const char *text = arena_printf(a, "%04d-%02d-%02d", y, month, day);

		if (vacation_read_day(text, &found) && (year || found >= today))
			return text;
	}
	return NULL;
}

/* The month of a day that stands alone in "10 to 20 December": the next one that is named.  0: there
 * is none. */
static int month_after(const char *const t[], size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (month_of(t[i]))
			return month_of(t[i]);
	return 0;
}

struct date {
	int day, month, year;
};

/* "3.1.2027", "3.1.", "3.1. 2027": the number of tokens; 0: it is none. */
static size_t take_dotted(const char *const t[], size_t n, struct date *d)
{
	int end = 0;

	if (sscanf(t[0], "%2d.%2d.%4d%n", &d->day, &d->month, &d->year, &end) == 3)
		return t[0][end] || d->year < 1000 ? 0 : 1;
	*d = (struct date){ 0 };
	if (sscanf(t[0], "%2d.%2d%n", &d->day, &d->month, &end) != 2 ||
	    t[0][end + (t[0][end] == '.')])
		return 0;
	d->year = n > 1 ? year_of(t[1]) : 0;
	return d->year ? 2 : 1;
}

/* Takes a day from the front of the tokens: "3 January 2027", "Jan 3", "3.1.2027", "3.1.", or "3"
 * with the month after it or of the day before it, which is *last.  *used: its number of tokens.
 * NULL: there is none. */
static const char *take_day(struct arena *a, const char *const t[], size_t n, int64_t today,
                            int *last, size_t *used)
{
	struct date d = { 0 };
	bool turned = n > 1 && month_of(t[0]);

	if (n > 1 && day_of(t[turned]) && month_of(t[!turned])) {
		d = (struct date){ day_of(t[turned]), month_of(t[!turned]),
			           n > 2 ? year_of(t[2]) : 0 };
		*used = d.year ? 3 : 2;
	} else if (!(*used = take_dotted(t, n, &d))) {
		d = (struct date){ day_of(t[0]), *last ? *last : month_after(t, n), 0 };
		*used = 1;
	}
	if (!d.day || !d.month)
		return NULL;
	*last = d.month;
	return write_day(a, d.year, d.month, d.day, today);
}

/* The days of a length, "2 weeks" or "10 Tage"; 0: the tokens are none. */
static int64_t length_of(const char *const t[], size_t n)
{
	static const struct {
		const char *begin;
		int days;
	} units[] = { { "day", 1 },    { "tag", 1 },    { "jour", 1 },    { "día", 1 },
		      { "week", 7 },   { "woche", 7 },  { "semaine", 7 }, { "semana", 7 },
		      { "month", 30 }, { "monat", 30 }, { "mois", 30 } };
	size_t digits = strspn(t[0], "0123456789");
	bool one = strcasecmp(t[0], "a") == 0 || strcasecmp(t[0], "one") == 0 ||
	           str_prefix(t[0], "eine");

	if (n < 2 || (!one && (digits == 0 || digits > 2 || t[0][digits])))
		return 0;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (str_prefix(t[1], units[i].begin))
			return (one ? 1 : atoi(t[0])) * units[i].days;
	return 0;
}

/* The last day of a vacation of so many days, which begins on the word's day, or now. */
static const char *last_day(struct arena *a, struct vacation_words *w, int64_t days, int64_t today)
{
	int64_t first = today;

	if (w->n == 0)
		w->words[w->n++] = "now";
	else if (strcmp(w->words[0], "tomorrow") == 0)
		first = today + 1;
	else
		vacation_read_day(w->words[0], &first);
	return vacation_words_day(a, first + days - 1);
}

struct vacation_words vacation_words_read(struct arena *a, const char *text, int64_t today)
{
	struct vacation_words w = { 0 };
	const char *tokens[TOKENS_MAX];
	size_t count = split(a, text, tokens);
	bool until = false;
	int month = 0;

	for (size_t i = 0, used; i < count && w.n < 3; i += used) {
		int64_t length = w.n < 2 ? length_of(tokens + i, count - i) : 0;
		const char *day = length ? last_day(a, &w, length, today)
		                         : take_day(a, tokens + i, count - i, today, &month, &used);
		const char *word = day ? day : meaning(tokens[i]);

		used = length ? 2 : day ? used : 1;
		if (strcmp(word, "until") == 0) {
			until = w.n == 0;
			if (until)
				w.words[w.n++] = "now";
		} else if (*word) {
			w.words[w.n++] = word;
		}
	}
	return w;
}
