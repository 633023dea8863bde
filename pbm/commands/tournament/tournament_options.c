#include "pbm/commands/tournament/tournament_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/pairing/pairing.h"
#include "pbm/record/vacation.h"

#define ROUND_DAYS 60
#define LEAST 2
#define MOST 64
#define ROBIN_MOST 64 /* players of a round robin: each plays all others */
#define SWISS_ROUNDS_MAX 50
#define TEAMS_MOST 32
#define GAMES_MOST 10 /* of a pairing of two players at the same time */

enum word_type { WORD_KIND, WORD_FLAG, WORD_NUMBER, WORD_RANGE, WORD_DAY, WORD_TEAMS };

static const struct tournament_word {
	const char *word;
	enum word_type type;
	size_t offset, second; /* of the int or bool; of a range its end */
	int kind;              /* WORD_KIND */
	long least, most;
	const char *example;
} words[] = {
#define T(member) offsetof(struct tournament_doc, member)
	{ "-swiss", WORD_KIND, T(rounds), 0, TOURNAMENT_SWISS, 1, SWISS_ROUNDS_MAX, "-swiss=7" },
	{ "-roundrobin", WORD_KIND, 0, 0, TOURNAMENT_ROUND_ROBIN, 0, 0, "-roundrobin" },
	{ "-double", WORD_KIND, 0, 0, TOURNAMENT_DOUBLE, 0, 0, "-double" },
	{ "-knockout", WORD_KIND, 0, 0, TOURNAMENT_KNOCKOUT, 0, 0, "-knockout" },
	{ "-teams", WORD_TEAMS, 0, 0, 0, 2, TOURNAMENT_BOARDS_MAX, "-teams=4" },
	{ "-boards", WORD_NUMBER, T(boards), 0, 0, 1, GAMES_MOST, "-boards=2" },
	{ "-at-once", WORD_NUMBER, T(at_once), 0, 0, 1, 100, "-at-once=4" },
	{ "-round", WORD_NUMBER, T(round_days), 0, 0, 1, 3650, "-round=60" },
	{ "-players", WORD_RANGE, T(least), T(most), 0, 2, TOURNAMENT_PLAYERS_MAX,
	  "-players=8-64" },
	{ "-limit", WORD_RANGE, T(rating_min), T(rating_max), 0, 0, 9999, "-limit=1400-1900" },
	{ "-until", WORD_DAY, T(until), 0, 0, 0, 0, "-until=2027-01-15" },
	{ "-settled", WORD_FLAG, T(settled), 0, 0, 0, 0, "-settled" },
	{ "-computers", WORD_FLAG, T(computers), 0, 0, 0, 0, "-computers" },
	{ "-undo", WORD_FLAG, T(undo), 0, 0, 0, 0, "-undo" },
#undef T
};

/* Options of an offer that a tournament can't have. */
static const char *const not_here[] = { "-white", "-black", "-random", "-private" };

struct tournament_reading {
	struct request *q;
	struct tournament_doc *t;
	struct terms terms;
	bool kind_said;
	int team_size; /* 0: players */
};

static bool refuse(struct request *q, const struct tournament_word *w)
{
	request_refuse(q, 0, "I can't read the option %s.  For example: %s", w->word, w->example);
	return false;
}

static int *number_at(struct tournament_doc *t, size_t offset)
{
	return (int *)(void *)((char *)t + offset);
}

static bool read_number(const struct tournament_word *w, const char *text, char end, int *out)
{
	size_t digits = strspn(text, "0123456789");
	long n = digits && digits < 8 ? strtol(text, NULL, 10) : -1;

	if (n < w->least || n > w->most || text[digits] != end)
		return false;
	*out = (int)n;
	return true;
}

static bool read_range(const struct tournament_word *w, const char *text, struct tournament_doc *t)
{
	int *least = number_at(t, w->offset), *most = number_at(t, w->second);
	const char *dash = strchr(text, '-');

	if (!dash)
		return false;
	return read_number(w, text, '-', least) && read_number(w, dash + 1, '\0', most) &&
	       *least <= *most;
}

/* The end of that day in UTC. */
static bool read_day(struct request *q, const char *text, int64_t *out)
{
	int64_t day;

	if (!vacation_read_day(text, &day))
		return false;
	*out = (day + 1) * CLOCK_DAY;
	return *out > q->now && *out < q->now + 3650 * CLOCK_DAY;
}

static bool take_kind(struct tournament_reading *r, const struct tournament_word *w,
                      const char *value)
{
	if (r->kind_said && (int)r->t->kind != w->kind) {
		request_refuse(
			r->q, 0,
			"A tournament has one of these kinds: -swiss=7, -roundrobin, -double, -knockout.");
		return false;
	}
	r->kind_said = true;
	r->t->kind = (enum tournament_kind)w->kind;
	if ((w->most > 0) != (value != NULL) ||
	    (value && !read_number(w, value, '\0', number_at(r->t, w->offset))))
		return refuse(r->q, w);
	return true;
}

static bool take_word(struct tournament_reading *r, const struct tournament_word *w,
                      const char *value)
{
	bool good = false;

	if (w->type == WORD_KIND)
		return take_kind(r, w, value);
	if (w->type == WORD_FLAG) {
		good = !value;
		*(bool *)((char *)r->t + w->offset) = true;
	} else if (value && w->type == WORD_NUMBER) {
		good = read_number(w, value, '\0', number_at(r->t, w->offset));
	} else if (value && w->type == WORD_TEAMS) {
		good = read_number(w, value, '\0', &r->team_size);
	} else if (value && w->type == WORD_RANGE) {
		good = read_range(w, value, r->t);
	} else if (value) {
		good = read_day(r->q, value, &r->t->until);
	}
	return good || refuse(r->q, w);
}

static const struct tournament_word *find_word(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i].word) == n && strncasecmp(words[i].word, word, n) == 0)
			return &words[i];
	return NULL;
}

/* One option; those of the games are read as those of an offer. */
/* All options of a tournament itself, with examples. */
static const char *all_words(struct request *q)
{
	const char *list = words[0].example;

	for (size_t i = 1; i < sizeof words / sizeof words[0]; i++)
		list = arena_printf(q->arena, "%s, %s", list, words[i].example);
	return list;
}

static bool read_option(struct tournament_reading *r, const struct call *c, size_t *i)
{
	const char *said = c->argv[*i] + (strncmp(c->argv[*i], "--", 2) == 0);
	const char *word = *said == '-' ? said : arena_printf(r->q->arena, "-%s", said);
	size_t n = strcspn(word, "=");
	const struct tournament_word *w = find_word(word, n);

	if (w)
		return take_word(r, w, word[n] ? word + n + 1 : NULL);
	for (size_t k = 0; k < sizeof not_here / sizeof not_here[0]; k++)
		if (strcasecmp(word, not_here[k]) == 0) {
			request_refuse(r->q, 0,
			               "The games of a tournament can't have the option %s.",
			               not_here[k]);
			return false;
		}
	return terms_read_word(r->q, &r->terms, terms_option(r->q, &r->terms, c, i)) == 0;
}

bool tournament_options_fit(struct request *q, const struct tournament_doc *t, int units)
{
	int most = pairing_rounds_max(PAIRING_SWISS, units);

	if (t->rounds <= most)
		return true;
	if (t->by_teams)
		request_refuse(
			q, 0,
			"A Swiss tournament can have half as many rounds as teams: with %d teams at most %d.  Write: -swiss=%d",
			units, most, most);
	else
		request_refuse(
			q, 0,
			"A Swiss tournament can have half as many rounds as players: with %d players at most %d.  Write: -swiss=%d",
			units, most, most);
	return false;
}

/* Teams, or several games a pairing. */
static bool are_boards_right(struct request *q, const struct tournament_doc *t, int team_size)
{
	if (team_size && t->boards)
		request_refuse(
			q, 0,
			"A match of teams has a board for each player: -teams=4 says how many.  Leave out -boards.");
	else if (team_size && t->best_of)
		request_refuse(q, 0, "A knockout of teams can't have the option -best-of.");
	else if (t->boards > 1 && t->kind == TOURNAMENT_KNOCKOUT)
		request_refuse(
			q, 0,
			"A knockout can't have the option -boards.  Its matches have several games with: -best-of=3");
	else
		return true;
	return false;
}

/* Refuses more players, teams or games than there can be. */
static bool is_small_enough(struct request *q, const struct tournament_doc *t, bool robin)
{
	int boards = t->boards ? t->boards : 1;
	long games = robin ? (long)t->most * (t->most - 1) / 2 *
	                             (t->kind == TOURNAMENT_DOUBLE ? 2 : 1)
	                   : (long)t->rounds * t->most / 2;

	if (robin && t->most > ROBIN_MOST)
		request_refuse(q, 0, "A round robin can have at most %d players.", ROBIN_MOST);
	else if (t->by_teams && t->most * boards > TOURNAMENT_PLAYERS_MAX)
		request_refuse(
			q, 0,
			"There can be at most %d teams of %d players.  For example: -players=2-%d",
			TOURNAMENT_PLAYERS_MAX / boards, boards, TOURNAMENT_PLAYERS_MAX / boards);
	else if (games * boards > TOURNAMENT_GAMES_MAX)
		request_refuse(
			q, 0,
			"That can be %ld games, and a tournament has at most %d.  Give it fewer players with: -players=2-16",
			games * boards, TOURNAMENT_GAMES_MAX);
	else
		return true;
	return false;
}

static void set_boards(struct tournament_doc *t, int team_size)
{
	t->by_teams = team_size > 0;
	t->boards = t->by_teams ? team_size : t->boards > 1 ? t->boards : 0;
	if (t->most)
		return;
	t->most = t->by_teams ? TEAMS_MOST : MOST;
	if (t->by_teams && t->most * t->boards > TOURNAMENT_PLAYERS_MAX)
		t->most = TOURNAMENT_PLAYERS_MAX / t->boards;
}

/* Checks the options together. */
static bool is_right(struct tournament_reading *r)
{
	struct request *q = r->q;
	struct tournament_doc *t = r->t;
	bool robin = t->kind == TOURNAMENT_ROUND_ROBIN || t->kind == TOURNAMENT_DOUBLE;

	if (!r->kind_said) {
		request_refuse(
			q, 0,
			"Say which kind it is: -swiss=7 (with the number of rounds), -roundrobin, -double or -knockout.");
		return false;
	}
	if (t->at_once && !robin) {
		request_refuse(q, 0, "Only a round robin can have the option -at-once.");
		return false;
	}
	if (t->best_of && t->kind != TOURNAMENT_KNOCKOUT) {
		request_refuse(q, 0, "Only a knockout can have the option -best-of.");
		return false;
	}
	if (t->best_of > PAIRING_BEST_OF_MAX) {
		request_refuse(q, 0, "A match can have at most %d games.", PAIRING_BEST_OF_MAX);
		return false;
	}
	if (!are_boards_right(q, t, r->team_size))
		return false;
	set_boards(t, r->team_size);
	return is_small_enough(q, t, robin) &&
	       (t->kind != TOURNAMENT_SWISS || tournament_options_fit(q, t, t->most));
}

int tournament_options_read(struct request *q, const struct call *c, size_t from,
                            struct tournament_doc *t)
{
	struct tournament_reading r = { .q = q, .t = t };
	struct err why = { 0 };
	const char *name = from < c->argc ? c->argv[from] : "";
	const struct rules *rules = *name ? rules_find(name, strlen(name), &why) : NULL;

	*t = (struct tournament_doc){ .least = LEAST, .round_days = ROUND_DAYS };
	if (!rules) {
		request_refuse(
			q, 0, "%s",
			*name ? why.text
			      : "The game is missing.  For example: mod tournament new spring-26 suicide -swiss=7");
		return 1;
	}
	terms_begin(q, c->actor, rules, &r.terms);
	r.terms.beside = all_words(q);
	for (size_t i = from + 1; i < c->argc; i++)
		if (!read_option(&r, c, &i))
			return 1;
	t->best_of = r.terms.doc.best_of;
	r.terms.doc.best_of = 0;
	if (terms_finish(q, &r.terms) != 0 || !is_right(&r))
		return 1;
	t->terms = game_doc_terms(&r.terms.doc);
	return 0;
}
