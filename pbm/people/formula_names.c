#include "pbm/people/formula_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/distance.h"
#include "pbm/base/utf8.h"
#include "pbm/people/punctuality.h"
#include "pbm/people/roles.h"
#include "pbm/rating/rating.h"
#include "pbm/text/formula.h"
#include "pbm/text/text.h"
#include "pbm/text/word_list.h"
#include "store/store_questions.h"

#define GAMES_COUNTED 1000 /* more are not counted */
#define NEAREST 3
#define FACTS_KEPT 1024
#define FACT_NAME_SIZE 200

/* One offer; what costs a question to the store is asked when a name needs it. */
struct facts {
	struct request *q;
	const struct game_doc *offer; /* NULL: only the names are checked */
	const struct player_doc *from;
	const char *to;
	bool has_ratings;
	struct rating theirs, mine;
	int rc;
	struct err *err;
};

/* A formula can name each fact a hundred times, and a list has hundreds of formulas: what the
 * store has answered in this mail is kept, each fact in the one place that its name has. */
enum fact_kind { FACT_RATING = 'r', FACT_GAMES = 'g', FACT_ON_TIME = 'o' };
struct known_facts {
	struct known_fact {
		const char *name; /* kind, game and userid; NULL: nothing is known here */
		struct rating rating;
		int64_t number;
	} v[FACTS_KEPT];
};

static void count_games(struct facts *f, const char *userid, struct known_fact *k)
{
	size_t n = 0;

	f->rc = store_games(f->q->site->store, userid, f->offer->game, GAMES_FINISHED,
	                    GAMES_COUNTED, 0, store_count_row, &n, f->err);
	k->number = (int64_t)n;
}

static void ask_store(struct facts *f, enum fact_kind kind, const char *userid,
                      struct known_fact *k)
{
	struct punctuality p = { .percent = 100 };

	if (kind == FACT_RATING) {
		f->rc = rating_get(f->q->site->store, userid, f->offer->game, f->q->now, &k->rating,
		                   f->err);
	} else if (kind == FACT_GAMES) {
		count_games(f, userid, k);
	} else {
		f->rc = punctuality_of(f->q, userid, &p, f->err);
		k->number = p.percent;
	}
	f->q->work++;
}

static const struct known_fact *find_fact(struct facts *f, enum fact_kind kind, const char *userid)
{
	static const struct known_fact none;
	struct arena *a = f->q->arena;

	if (f->rc < 0)
		return &none;
	if (!f->q->facts)
		f->q->facts = memset(arena_alloc(a, sizeof *f->q->facts), 0, sizeof *f->q->facts);
	const char *name = PRINTED(FACT_NAME_SIZE, "%c %s %s", kind, f->offer->game, userid);
	struct known_fact *k = &f->q->facts->v[str_hash(name) % FACTS_KEPT];
	if (!k->name || strcmp(k->name, name) != 0) {
		k->name = NULL;
		ask_store(f, kind, userid, k);
		if (f->rc < 0)
			return &none;
		k->name = arena_strdup(a, name);
	}
	return k;
}

static bool load_ratings(struct facts *f)
{
	if (!f->has_ratings) {
		f->theirs = find_fact(f, FACT_RATING, f->from->userid)->rating;
		f->mine = find_fact(f, FACT_RATING, f->to)->rating;
		f->has_ratings = true;
	}
	return f->rc == 0;
}

static int64_t their_rating(struct facts *f)
{
	return load_ratings(f) ? llround(f->theirs.now.rating) : 0;
}

static int64_t my_rating(struct facts *f)
{
	return load_ratings(f) ? llround(f->mine.now.rating) : 0;
}

static int64_t rating_difference(struct facts *f)
{
	return their_rating(f) - my_rating(f);
}

static int64_t is_provisional(struct facts *f)
{
	return load_ratings(f) && f->theirs.now.deviation >= RATING_PROVISIONAL;
}

static int64_t games_finished(struct facts *f)
{
	return find_fact(f, FACT_GAMES, f->from->userid)->number;
}

static int64_t percent_on_time(struct facts *f)
{
	return find_fact(f, FACT_ON_TIME, f->from->userid)->number;
}

#define OF_OFFER(name, what)                                                                       \
	static int64_t name(struct facts *f)                                                       \
	{                                                                                          \
		return what;                                                                       \
	}
OF_OFFER(is_rated, f->offer->rated)
OF_OFFER(is_unrated, !f->offer->rated)
OF_OFFER(days, f->offer->days)
OF_OFFER(reserve, f->offer->reserve)
OF_OFFER(total, f->offer->total)
OF_OFFER(increment, f->offer->increment)
OF_OFFER(is_weekdays, f->offer->weekdays)
OF_OFFER(is_private, f->offer->private_game)
OF_OFFER(is_from_position, f->offer->start_fen != NULL)
OF_OFFER(is_computer, roles_is_computer(f->from))

/* "variant = suicide" reads the same as "suicide". */
static int64_t variant(struct facts *)
{
	return 1;
}

static const struct {
	const char *name;
	int64_t (*value)(struct facts *f);
} names[] = {
	{ "rating", their_rating },
	{ "mine", my_rating },
	{ "ratingdiff", rating_difference },
	{ "provisional", is_provisional },
	{ "games", games_finished },
	{ "ontime", percent_on_time },
	{ "rated", is_rated },
	{ "unrated", is_unrated },
	{ "days", days },
	{ "reserve", reserve },
	{ "total", total },
	{ "increment", increment },
	{ "weekdays", is_weekdays },
	{ "private", is_private },
	{ "fen", is_from_position },
	{ "computer", is_computer },
	{ "variant", variant },
};
#define NAMES (sizeof names / sizeof names[0])

/* Has the offer this option of its game, written without its hyphen? */
static bool has_option(const struct game_doc *d, const char *word)
{
	const char *rest = d->options;
	size_t n = strlen(word), len;

	for (const char *p; (p = word_list_next(&rest, &len));)
		if (*p == '-' && len == n + 1 && strncmp(p + 1, word, n) == 0)
			return true;
	return false;
}

static bool is_option(const char *word)
{
	for (size_t i = 0; rules_all[i]; i++)
		for (const struct rules_option *o = rules_all[i]->options; o && o->word; o++)
			if (strcmp(o->word + 1, word) == 0)
				return true;
	return false;
}

static bool name_value(void *arg, const char *name, int64_t *value)
{
	struct facts *f = arg;
	const struct rules *r;

	for (size_t i = 0; i < NAMES; i++)
		if (strcmp(names[i].name, name) == 0) {
			*value = f->offer ? names[i].value(f) : 0;
			return true;
		}
	if (is_option(name)) {
		*value = f->offer && has_option(f->offer, name);
		return true;
	}
	r = rules_find(name, strlen(name), NULL);
	*value = r && f->offer && strcmp(r->name, f->offer->game) == 0;
	return r != NULL;
}

static void suggest(const char *word, size_t n, struct str *out)
{
	size_t found = 0;

	for (size_t i = 0; i < NAMES && found < NEAREST; i++)
		if (word_distance(word, n, names[i].name, strlen(names[i].name)) <= 1 + n / 4)
			text_list(out, found++, 0, names[i].name, "");
	for (size_t i = 0; rules_all[i] && found < NEAREST; i++)
		if (word_distance(word, n, rules_all[i]->name, strlen(rules_all[i]->name)) <=
		    1 + n / 4)
			text_list(out, found++, 0, rules_all[i]->name, "");
}

/* The formula in a line of its own, and "^" under the place. */
static const char *point_at(struct arena *a, const char *formula, const struct formula_part *at)
{
	size_t columns = 0, len = strlen(formula);
	char *line = arena_strdup(a, formula);

	for (char *p = line; *p; p++)
		if (*p == '\t' || *p == '\n' || *p == '\r')
			*p = ' ';
	for (size_t i = 0; i < at->at && i < len; columns++) {
		uint32_t c;

		i += utf8_decode(formula + i, len - i, &c);
	}
	return arena_printf(a, "    %s\n    %*s^", line, (int)columns, "");
}

int formula_check(struct arena *a, const char *formula, const char **shown, struct err *why)
{
	struct facts none = { 0 };
	struct formula_result r;
	struct formula_part at = { 0 };
	struct err e = { 0 };
	struct str near = STR_LOCAL(200);
	int rc = formula_run(formula, name_value, &none, &r, &at, &e);

	if (rc == 0)
		return 0;
	if (shown)
		*shown = rc == ERR_LIMIT && at.at == FORMULA_MAX ? NULL : point_at(a, formula, &at);
	if (rc == ERR_NOT_FOUND)
		suggest(formula + at.at, at.len, &near);
	if (near.len)
		return err_set(
			why, ERR_BAD,
			"At character %zu: \"%.*s\" is no name that I know.  Did you mean %s?",
			at.at + 1, (int)(at.len > 40 ? 40 : at.len), formula + at.at, near.data);
	if (rc == ERR_NOT_FOUND)
		return err_set(
			why, ERR_BAD,
			"At character %zu: \"%.*s\" is no name that I know.  \"help formulas\" lists them.",
			at.at + 1, (int)(at.len > 40 ? 40 : at.len), formula + at.at);
	return err_set(why, ERR_BAD, "At character %zu: %s", at.at + 1, e.text);
}

int formula_passes(struct request *q, const char *formula, const struct game_doc *d,
                   const struct player_doc *from, const char *to, const char **failed,
                   struct err *e)
{
	struct facts f = { .q = q, .offer = d, .from = from, .to = to, .err = e };
	struct formula_result r;
	struct formula_part wrong;
	int rc = formula_run(formula, name_value, &f, &r, &wrong, NULL);

	q->work++;
	if (f.rc < 0)
		return f.rc;
	if (rc < 0 || r.value != 0)
		return 1;
	*failed = arena_strndup(q->arena, formula + r.failed.at, r.failed.len);
	return 0;
}
