#include "pbm/commands/tournament/tournament_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/base/str.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/tournament/tournament_season.h"
#include "pbm/pairing/pairing.h"
#include "pbm/record/vacation.h"
#include "pbm/tournament/tournament_league.h"
#include "store/document/keys.h"
#include "store/store_documents.h"

#define ROUND_DAYS 60
#define LEAST 2
#define MOST 64
#define ROBIN_MOST 64 /* players of a round robin: each plays all others */
#define SWISS_ROUNDS_MAX 50
#define TEAMS_MOST 32
#define BYES 1 /* rounds off of a player of a Swiss tournament */
#define BYES_MOST 9
#define BYES_UNSAID (-1)
#define GAMES_MOST 10 /* of a pairing of two players at the same time */

enum word_type { WORD_KIND, WORD_FLAG, WORD_NUMBER, WORD_RANGE, WORD_DAY, WORD_TEAMS, WORD_HOST };

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
	{ "-simul", WORD_HOST, 0, 0, TOURNAMENT_SIMUL, 0, 0, "-simul=alice" },
	{ "-groups", WORD_NUMBER, T(group_size), 0, 0, LEAGUE_GROUP_LEAST, ROBIN_MOST,
	  "-groups=8" },
	{ "-promoted", WORD_NUMBER, T(promoted), 0, 0, 1, ROBIN_MOST / 2, "-promoted=2" },
	{ "-by-hand", WORD_FLAG, T(by_hand), 0, 0, 0, 0, "-by-hand" },
	{ "-byes", WORD_NUMBER, T(byes), 0, 0, 0, BYES_MOST, "-byes=1" },
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

/* Options of an offer that a tournament can't have.  In a simul the first two say the colour of
 * its host. */
static const char *const not_here[] = { "-white", "-black", "-random", "-private" };
#define COLOURS 2

struct tournament_reading {
	struct request *q;
	struct tournament_doc *t;
	struct terms terms;
	bool kind_said;
	int team_size;      /* 0: players */
	const char *host;   /* of a simul: as typed, or the director */
	const char *colour; /* the option that says it */
};

static bool refuse(struct request *q, const struct tournament_word *w)
{
	return !request_refused(q, 0, "I can't read the option %s.  For example: %s", w->word,
	                        w->example);
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
	if (r->kind_said && (int)r->t->kind != w->kind)
		return !request_refused(
			r->q, 0,
			"A tournament has one of these kinds: -swiss=7, -roundrobin, -double, -knockout, -simul=alice.");
	r->kind_said = true;
	r->t->kind = (enum tournament_kind)w->kind;
	if (w->type == WORD_HOST) {
		r->host = value ? value : r->t->director;
		return true;
	}
	if ((w->most > 0) != (value != NULL) ||
	    (value && !read_number(w, value, '\0', number_at(r->t, w->offset))))
		return refuse(r->q, w);
	return true;
}

static bool take_word(struct tournament_reading *r, const struct tournament_word *w,
                      const char *value)
{
	bool good = false;

	if (w->type == WORD_KIND || w->type == WORD_HOST)
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

/* All options of a tournament itself, with examples. */
static const char *all_words(struct request *q)
{
	const char *list = words[0].example;

	for (size_t i = 1; i < sizeof words / sizeof words[0]; i++)
		list = arena_printf(q->arena, "%s, %s", list, words[i].example);
	return list;
}

/* An option that the games of a tournament can't have.  true: refused, or taken as a colour. */
static bool is_not_here(struct tournament_reading *r, const char *word, bool *refused)
{
	for (size_t k = 0; k < sizeof not_here / sizeof not_here[0]; k++)
		if (strcasecmp(word, not_here[k]) == 0) {
			*refused = k >= COLOURS;
			r->colour = not_here[k];
			r->t->colour = k == 0 ? HOST_WHITE : HOST_BLACK;
			return true;
		}
	return false;
}

static bool refuse_here(struct tournament_reading *r)
{
	return !request_refused(r->q, 0, "The games of a tournament can't have the option %s.",
	                        r->colour);
}

static bool is_said(const struct call *c, size_t i, const char *word)
{
	return i < c->argc && strcasecmp(c->argv[i] + strspn(c->argv[i], "-"), word) == 0;
}

/* The i-th option with a dash in front; *i moves past more words of it: "8 players", "4-8 players",
 * "double round robin". */
static const char *option_at(struct arena *a, const struct call *c, size_t *i)
{
	const char *said = c->argv[*i] + (strncmp(c->argv[*i], "--", 2) == 0);
	bool twice = is_said(c, *i, "double");
	size_t round = *i + twice, robin = round + !is_said(c, round, "round-robin");

	if (robin == round || (is_said(c, round, "round") && is_said(c, robin, "robin"))) {
		*i = robin;
		return twice ? "-double" : "-roundrobin";
	}
	if (isdigit((unsigned char)*said) && *i + 1 < c->argc &&
	    (str_prefix(c->argv[*i + 1], "player") || str_prefix(c->argv[*i + 1], "spieler"))) {
		++*i;
		return arena_printf(a, "-players=%s%s", strchr(said, '-') ? "" : "2-", said);
	}
	return *said == '-' ? said : arena_printf(a, "-%s", said);
}

/* One option; those of the games are read as those of an offer. */
static bool read_option(struct tournament_reading *r, const struct call *c, size_t *i)
{
	const char *word = option_at(r->q->arena, c, i);
	size_t n = strcspn(word, "=");
	const struct tournament_word *w = find_word(word, n);

	if (w)
		return take_word(r, w, word[n] ? word + n + 1 : NULL);
	bool refused;
	if (is_not_here(r, word, &refused))
		return refused ? refuse_here(r) : true;
	if (r->t->after)
		return !request_refused(
			r->q, 0,
			"The games of a season are those of the season before.  Leave out %.40s.",
			c->argv[*i]);
	return terms_read_word(r->q, &r->terms, terms_option(r->q, &r->terms, c, i)) == 0;
}

bool tournament_options_fit(struct request *q, const struct tournament_doc *t, int units)
{
	int most = pairing_rounds_max(PAIRING_SWISS, units);

	if (t->rounds <= most)
		return true;
	return !request_refused(
		q, 0,
		t->by_teams
			? "A Swiss tournament can have half as many rounds as teams: with %d teams at most %d.  Write: -swiss=%d"
			: "A Swiss tournament can have half as many rounds as players: with %d players at most %d.  Write: -swiss=%d",
		units, most, most);
}

/* Teams, or several games a pairing. */
static bool are_boards_right(struct request *q, const struct tournament_doc *t, int team_size)
{
	if (team_size && t->boards)
		return !request_refused(
			q, 0,
			"A match of teams has a board for each player: -teams=4 says how many.  Leave out -boards.");
	if (team_size && t->best_of)
		return !request_refused(q, 0,
		                        "A knockout of teams can't have the option -best-of.");
	if (t->boards > 1 && t->kind == TOURNAMENT_KNOCKOUT)
		return !request_refused(
			q, 0,
			"A knockout can't have the option -boards.  Its matches have several games with: -best-of=3");
	return true;
}

/* Refuses more players, teams or games than there can be. */
static bool is_small_enough(struct request *q, const struct tournament_doc *t, bool robin)
{
	int boards = t->boards ? t->boards : 1;
	int group = t->group_size ? t->group_size : t->most;
	long games = robin ? (long)t->most * (group - 1) / 2 *
	                             (t->kind == TOURNAMENT_DOUBLE ? 2 : 1)
	             : t->kind == TOURNAMENT_SIMUL ? t->most
	                                           : (long)t->rounds * t->most / 2;

	if (robin && group > ROBIN_MOST)
		return !request_refused(q, 0, "A round robin can have at most %d players.",
		                        ROBIN_MOST);
	if (t->by_teams && t->most * boards > TOURNAMENT_PLAYERS_MAX)
		return !request_refused(
			q, 0,
			"There can be at most %d teams of %d players.  For example: -players=2-%d",
			TOURNAMENT_PLAYERS_MAX / boards, boards, TOURNAMENT_PLAYERS_MAX / boards);
	if (games * boards > TOURNAMENT_GAMES_MAX)
		return !request_refused(
			q, 0,
			"That can be %ld games, and a tournament has at most %d.  Give it fewer players with: -players=2-16",
			games * boards, TOURNAMENT_GAMES_MAX);
	return true;
}

static void set_boards(struct tournament_doc *t, int team_size)
{
	t->by_teams = team_size > 0;
	t->boards = t->by_teams ? team_size : t->boards > 1 ? t->boards : 0;
	if (t->most)
		return;
	t->most = t->by_teams ? TEAMS_MOST : t->group_size ? TOURNAMENT_PLAYERS_MAX : MOST;
	if (t->by_teams && t->most * t->boards > TOURNAMENT_PLAYERS_MAX)
		t->most = TOURNAMENT_PLAYERS_MAX / t->boards;
}

/* The options of a league, and of a Swiss tournament that is paired by hand. */
static bool is_league_right(struct request *q, struct tournament_doc *t, bool robin, bool teams)
{
	if (t->group_size && (!robin || teams))
		return !request_refused(
			q, 0,
			"A league is a round robin of players: write -roundrobin or -double with -groups=8.");
	if (t->promoted && !t->group_size)
		return !request_refused(
			q, 0, "Players go up and down between groups: write -groups=8, too.");
	if (2 * t->promoted > t->group_size)
		return !request_refused(
			q, 0, "In groups of %d players at most %d can go up, and as many down.",
			t->group_size, t->group_size / 2);
	if (t->group_size && strlen(t->name) + SEASON_SUFFIX > KEY_USERID_MAX)
		return !request_refused(
			q, 0,
			"The groups of a season are called \"%s-2\" and so on, so its name can have %d letters.",
			t->name, KEY_USERID_MAX - SEASON_SUFFIX);
	if (t->byes > 0 && (t->kind != TOURNAMENT_SWISS || teams))
		return !request_refused(
			q, 0,
			"Only players of a Swiss tournament can have rounds off: leave out -byes.");
	if (t->by_hand && (t->kind != TOURNAMENT_SWISS || teams))
		return !request_refused(
			q, 0, "Only a Swiss tournament of players can have the option -by-hand.");
	return true;
}

/* Puts the host of a simul into the list: the director himself, or a player who is asked. */
static bool set_host(struct tournament_reading *r)
{
	struct request *q = r->q;
	struct tournament_doc *t = r->t;
	bool own = r->host && strcasecmp(r->host, t->director) == 0;
	struct player_doc p;

	if (r->colour && !r->host)
		return refuse_here(r);
	if (!r->host)
		return true;
	if (own && !t->until)
		request_refuse(
			q, 0,
			"Nobody directs games of his own.  Say until when players can enter, then the simul begins by itself: -until=2027-01-15");
	else if (r->team_size)
		request_refuse(q, 0, "A simul is one player against many: leave out -teams.");
	else if (store_player_get(q->site->store, q->arena, r->host, &p, NULL) != 0 || p.deleted)
		request_refuse(q, 0, "There is no player \"%.40s\".", r->host);
	else {
		*tournament_add_entry(q->arena, t) = (struct tournament_entry){
			.userid = p.userid,
			.standing = own ? ENTRY_PLAYS : ENTRY_INVITED,
			.at = q->now,
			.host = true
		};
		return true;
	}
	return false;
}

/* Are -at-once and -best-of options of this kind? */
static bool fits_kind(struct request *q, const struct tournament_doc *t, bool robin)
{
	if (t->at_once && !robin)
		return !request_refused(q, 0, "Only a round robin can have the option -at-once.");
	if (t->best_of && t->kind != TOURNAMENT_KNOCKOUT)
		return !request_refused(q, 0, "Only a knockout can have the option -best-of.");
	if (t->best_of > PAIRING_BEST_OF_MAX)
		return !request_refused(q, 0, "A match can have at most %d games.",
		                        PAIRING_BEST_OF_MAX);
	return true;
}

/* Checks the options together. */
static bool is_right(struct tournament_reading *r)
{
	struct request *q = r->q;
	struct tournament_doc *t = r->t;
	bool robin = t->kind == TOURNAMENT_ROUND_ROBIN || t->kind == TOURNAMENT_DOUBLE;

	if (!r->kind_said)
		return !request_refused(
			q, 0,
			"Say which kind it is: -swiss=7 (with the number of rounds), -roundrobin, -double, -knockout or -simul=alice.");
	if (!fits_kind(q, t, robin) || !are_boards_right(q, t, r->team_size) ||
	    !is_league_right(q, t, robin, r->team_size > 0) || !set_host(r))
		return false;
	if (t->byes < 0)
		t->byes = t->kind == TOURNAMENT_SWISS && !r->team_size ? BYES : 0;
	if (t->group_size && !t->promoted)
		t->promoted = t->group_size < 6 ? 1 : 2;
	set_boards(t, r->team_size);
	return is_small_enough(q, t, robin) &&
	       (t->kind != TOURNAMENT_SWISS || tournament_options_fit(q, t, t->most));
}

/* "-after=league-1": the next season, whose games have the terms of the one before.  Its players
 * are asked. */
static int read_season(struct tournament_reading *r, const struct call *c, size_t from,
                       struct err *e)
{
	struct tournament_doc *t = r->t, own = *t;
	const char **order = NULL;
	size_t n = 0;
	int rc = tournament_season_follow(r->q, strchr(c->argv[from], '=') + 1, t, e);

	if (rc != 0)
		return rc;
	t->name = own.name;
	t->director = own.director;
	t->byes = BYES_UNSAID;
	r->kind_said = true;
	rc = tournament_season_order(r->q, t, &order, &n, e);
	for (size_t i = 0; i < n; i++)
		*tournament_add_entry(r->q->arena, t) = (struct tournament_entry){
			.userid = order[i], .standing = ENTRY_INVITED, .at = r->q->now
		};
	for (size_t i = from + 1; rc == 0 && i < c->argc; i++)
		rc = !read_option(r, c, &i);
	return rc == 0 ? !is_right(r) : rc;
}

int tournament_options_read(struct request *q, const struct call *c, size_t from,
                            struct tournament_doc *t, struct err *e)
{
	struct tournament_reading r = { .q = q, .t = t };
	struct err why = { 0 };
	const char *name = from < c->argc ? c->argv[from] : "";
	const struct rules *rules = *name ? rules_find(name, strlen(name), &why) : NULL;

	if (str_prefix(name, "-after="))
		return read_season(&r, c, from, e);
	t->least = LEAST;
	t->byes = BYES_UNSAID;
	t->round_days = ROUND_DAYS;
	if (!rules)
		return request_refused(
			q, 0, "%s",
			*name ? why.text
			      : "The game is missing.  For example: mod tournament new spring-26 suicide -swiss=7");
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
