#include "pbm/commands/lobby/terms.h"

#include <string.h>

#include "games/game.h"
#include "games/variants/registry.h"
#include "pbm/text/words.h"

/* The options of the game in words. */
static void add_options(struct request *q, const struct game_doc *d, struct str *s)
{
	const struct rules *r = rules_find(d->game, strlen(d->game), NULL);
	struct words w;

	words_split(q->arena, d->options, &w);
	for (size_t i = 0; r && i < w.n; i++)
		for (const struct rules_option *o = r->options; o && o->word; o++)
			if (strcmp(o->word, w.v[i].text) == 0)
				str_addf(s, ", %s", o->help);
}

static void add_increment(int hours, struct str *s)
{
	int n = hours % 24 ? hours : hours / 24;

	str_add(s, ", ");
	if (hours % 24)
		str_addf(s,
		         n == 1 ? "%d hour more after each move" : "%d hours more after each move",
		         n);
	else
		str_addf(s, n == 1 ? "%d day more after each move" : "%d days more after each move",
		         n);
}

static void add_start(const struct game_doc *d, struct str *s)
{
	struct game g = { .rules = rules_find(d->game, strlen(d->game), NULL) };
	unsigned number;

	if (d->start_fen && g.rules && game_is_numbered(&g, d->start_fen, &number))
		str_addf(s, ", from start %u", number);
	else if (d->start_fen)
		str_add(s, ", from a given position");
	else if (g.rules && g.rules->flags & RULES_LOTS)
		str_add(s, ", lots choose the start");
}

const char *terms_text(struct request *q, const struct game_doc *d)
{
	struct str s = STR_LOCAL(500);

	str_addf(&s, "%s, %s, %d day%s a move and %d in reserve", rules_title(d->game),
	         d->rated ? "rated" : "not rated", d->days, d->days == 1 ? "" : "s", d->reserve);
	add_options(q, d, &s);
	if (d->total)
		str_addf(&s, ", %d day%s of each side for all its moves", d->total,
		         d->total == 1 ? "" : "s");
	if (d->increment)
		add_increment(d->increment, &s);
	if (d->weekdays)
		str_add(&s, ", Saturdays and Sundays don't count");
	if (d->nag)
		str_addf(&s, ", a reminder after %d day%s", d->nag, d->nag == 1 ? "" : "s");
	if (d->forfeit)
		str_addf(&s, ", ended by the server %d day%s after the deadline", d->forfeit,
		         d->forfeit == 1 ? "" : "s");
	if (d->best_of)
		str_addf(&s, ", a match of at most %d games", d->best_of);
	add_start(d, &s);
	if (d->private_game)
		str_add(&s, ", private until it ends");
	return arena_strdup(q->arena, s.data);
}

static void add_number(const char *option, int value, int usual, struct str *s)
{
	if (value && value != usual)
		str_addf(s, " %s=%d", option, value);
}

/* The condition on those who may take the seek. */
static void add_condition(const struct game_doc *d, struct str *s)
{
	if (d->rating_max)
		str_addf(s, " %d-%d", d->rating_min, d->rating_max);
	if (d->manual)
		str_add(s, " manual");
	if (d->formula)
		str_addf(s, " %s", d->formula);
}

const char *terms_seek(struct request *q, const struct player_doc *by, const struct game_doc *d)
{
	struct terms usual;
	struct str s = str_in(q->arena, GAME_FORMULA_MAX + 1000);
	struct game g = { .rules = rules_find(d->game, strlen(d->game), NULL) };
	unsigned number;

	if (!g.rules)
		return NULL;
	terms_begin(q, by, g.rules, &usual);
	str_addf(&s, "seek %s%s%s", d->game, *d->options ? " " : "", d->options);
	if (d->colors == COLORS_GIVEN)
		str_add(&s, strcmp(d->players[0], GAME_ANYONE) == 0 ? " -black" : " -white");
	else if (d->colors == COLORS_RANDOM)
		str_add(&s, " -random");
	add_number("-days", d->days, usual.doc.days, &s);
	if (d->reserve != usual.doc.reserve)
		str_addf(&s, " -reserve=%d", d->reserve);
	add_number("-total", d->total, 0, &s);
	add_number("-nag", d->nag, usual.doc.nag, &s);
	add_number("-forfeit", d->forfeit, usual.doc.forfeit, &s);
	add_number("-best-of", d->best_of, 0, &s);
	if (d->increment)
		str_addf(&s, " -increment=%dh", d->increment);
	if (d->weekdays)
		str_add(&s, " -weekdays");
	if (d->rated == usual.unrated)
		str_add(&s, d->rated ? " -rated" : " -unrated");
	if (d->private_game)
		str_add(&s, " -private");
	if (d->start_fen && game_is_numbered(&g, d->start_fen, &number))
		str_addf(&s, " -position=%u", number);
	else if (d->start_fen)
		str_addf(&s, " -fen=\"%s\"", d->start_fen);
	add_condition(d, &s);
	return s.data;
}
