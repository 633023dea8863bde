#include "pbm/commands/lobby/minutes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/settings.h"

#define DAYS_MEANT 100 /* more are a mistake */
#define LINE_BYTES 1000

/* The length of the number of at most three digits; 0: there is none. */
static size_t digits(const char *word)
{
	size_t n = strspn(word, "0123456789");

	return n < 4 ? n : 0;
}

static bool is_number(const char *word)
{
	return digits(word) && !word[digits(word)];
}

/* The days of a unit of time; 0: it is shorter than a day; -1: it is no unit. */
static int unit_days(const char *word)
{
	static const struct {
		const char *prefix;
		size_t most; /* letters of the word */
		int days;
	} units[] = { { "m", 1, 0 }, { "min", 8, 0 },  { "h", 1, 0 },     { "hour", 6, 0 },
		      { "w", 1, 7 }, { "week", 6, 7 }, { "month", 7, 30 } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strncasecmp(word, units[i].prefix, strlen(units[i].prefix)) == 0 &&
		    strlen(word) <= units[i].most)
			return units[i].days;
	return -1;
}

/* "10+5", "10|5", "15min" */
static bool is_clock_word(const char *word)
{
	const char *rest = word + digits(word);

	return rest > word &&
	       (unit_days(rest) >= 0 || (*rest && strchr("+|", *rest) && is_number(rest + 1)));
}

bool minutes_is_operator(const struct call *c, size_t i)
{
	static const char *const operators[] = { "&",  "|",   "<", ">", "<=", ">=", "=", "!=",
		                                 "or", "and", "+", "-", "*",  "/",  NULL };

	return i < c->argc && str_is_any(c->argv[i], operators);
}

/* The number of words at i that are a time, but no days; 0: none are. */
static size_t clock_words(const struct call *c, size_t i)
{
	const char *next = i + 1 < c->argc ? c->argv[i + 1] : "";

	if (is_clock_word(c->argv[i]))
		return 1;
	if (!is_number(c->argv[i]) || strncasecmp(next, "day", 3) == 0 ||
	    minutes_is_operator(c, i + 1))
		return 0;
	return is_number(next) || unit_days(next) >= 0 ? 2 : 1;
}

/* The letters of FICS as the words that they mean here; "": they need no word. */
static const char *letter(const char *word)
{
	static const struct {
		char letter;
		const char *means;
	} letters[] = { { 'r', "-rated" }, { 'u', "-unrated" }, { 'w', "-white" },
		        { 'b', "-black" }, { 'm', "manual" },   { 'a', "" },
		        { 'f', "" } };

	for (size_t i = 0; word[0] && !word[1] && i < sizeof letters / sizeof *letters; i++)
		if ((word[0] | 0x20) == letters[i].letter)
			return letters[i].means;
	return word;
}

/* Is a game named in the line? */
static bool has_game(const struct call *c)
{
	bool found = c->rules || c->board;

	for (size_t i = 0; i < c->argc; i++)
		found |= rules_find(c->argv[i], strlen(c->argv[i]), NULL) != NULL;
	return found;
}

/* The days that the n words at i mean: "2 weeks", "2w", or, perhaps, "3".  0: none. */
static long days_of(const struct call *c, size_t i, size_t n)
{
	const char *word = c->argv[i], *unit = n == 2 ? c->argv[i + 1] : word + digits(word);
	long days = strtol(word, NULL, 10) * (*unit ? unit_days(unit) : 1);

	return days > 0 && days <= DAYS_MEANT ? days : 0;
}

/* Writes the line again, with days in place of the clock of n words at i. */
static const char *line_of_days(struct request *q, const struct call *c, size_t i, size_t n)
{
	struct str s = STR_LOCAL(LINE_BYTES);
	long days = days_of(c, i, n);

	if (c->rules)
		str_addf(&s, "%s ", c->rules->name);
	str_add(&s, c->command->word);
	for (size_t k = 0; k < c->argc; k++) {
		const char *word = k < i ? c->argv[k] : letter(c->argv[k]);

		if (k == i && !has_game(c))
			str_addf(&s, " %s", example_game(q));
		if ((k < i || k >= i + n) && *word)
			str_addf(&s, strchr(word, ' ') ? " \"%s\"" : " %s", word);
	}
	str_addf(&s, " -days=%ld", days ? days : settings_number(c->actor, "days"));
	return arena_strdup(q->arena, s.data);
}

bool minutes_refused(struct request *q, const struct call *c, size_t i)
{
	size_t n = clock_words(c, i);

	if (n)
		request_refuse(
			q, 0,
			"Games by mail are played in days: write the time as days for each move.  Nothing was begun.")
			->body = did_you_mean_offer(q->arena, line_of_days(q, c, i, n));
	return n != 0;
}
