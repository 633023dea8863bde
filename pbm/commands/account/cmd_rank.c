/* Ladders: standings, ratings, best. */
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/account/account_tables.h"
#include "pbm/commands/account/rating_text.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/people/mail_limits.h"
#include "pbm/rating/rating.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_ratings.h"

#define ROWS 20
#define PAGE 40
#define LOOKED_AT 400 /* rows, when many of them are computers' */

/* The game or player that was asked for, or neither. */
struct asked {
	const struct rules *rules;
	const char *userid;
	bool humans;
	bool computers; /* the list of games against the server's computers */
};

struct standings {
	struct request *q;
	struct str *out;
	bool humans;
	const char *game; /* of a table of several games, or NULL */
	size_t most, shown, seen;
};

static bool is_option(const char *word, const char *name)
{
	word += strspn(word, "-");
	return strcasecmp(word, name) == 0;
}

/* Reads game, userid and -humans; false: refused. */
static bool read_asked(struct request *q, const struct call *c, bool users, struct asked *a)
{
	*a = (struct asked){ .rules = c->rules };
	for (size_t i = 0; i < c->argc; i++) {
		const char *word = c->argv[i];
		const struct rules *r = rules_find(word, strlen(word), NULL);
		struct player_doc p;

		if (is_option(word, "humans")) {
			a->humans = true;
		} else if (is_option(word, "computers")) {
			a->computers = true;
		} else if (users && !a->userid &&
		           store_player_get(q->site->store, q->arena, word, &p, NULL) == 0) {
			a->userid = p.userid;
		} else if (r) {
			a->rules = r;
		} else {
			struct note *n = request_refuse(
				q, 0,
				users ? "There is no game and no player %.40s.  For example: "
					"ratings suicide"
				      : "There is no game %.40s.  For example: standings suicide",
				word);
			n->body = tournament_find_wish(q, word);
			return false;
		}
	}
	return true;
}

/* One row of a ladder: place, player, rating, games, last game. */
static int add_row(const struct rating_row *row, void *arg)
{
	struct standings *l = arg;
	struct str when = STR_LOCAL(100), r = STR_LOCAL(24), place = STR_LOCAL(24);
	double deviation = (double)row->deviation / 100;
	bool computer;
	const char *name = rating_text_name(l->q, row->player, &computer);

	l->seen++;
	if (computer && l->humans)
		return 0;
	text_date(row->ended, request_zone(l->q, request_userid(l->q)), &when);
	when.data[strcspn(when.data, ",")] = '\0'; /* the day alone */
	rating_write((double)row->rating / 100, deviation, &r);
	if (deviation < RATING_PROVISIONAL)
		str_addf(&place, "%zu", l->shown + 1);
	if (l->game)
		str_addf(l->out, " %-20s  %-24s  %6s %6lld\n", l->game, name, r.data,
		         (long long)row->games);
	else
		str_addf(l->out, "%5s  %-24s  %6s %6lld  %s\n", place.data, name, r.data,
		         (long long)row->games, when.data);
	return ++l->shown == l->most;
}

typedef int ladder_fn(struct store *s, const char *game, size_t limit, size_t offset,
                      rating_row_fn *fn, void *arg, struct err *e);

/* Adds rows until there are enough, or no more. */
static int fill(struct standings *l, ladder_fn *ask, const char *game, size_t most, struct err *e)
{
	size_t before;
	int rc = 0;

	l->most = most;
	l->shown = l->seen = 0;
	do {
		before = l->seen;
		rc = ask(l->q->site->store, game, PAGE, l->seen, add_row, l, e);
	} while (rc == 0 && l->shown < most && l->seen == before + PAGE && l->seen < LOOKED_AT);
	return rc;
}

/* The list of a kind of game that was asked for. */
static const char *list_of(struct request *q, const struct asked *a, const struct rules *r)
{
	return a->computers ? arena_printf(q->arena, "%s" GAME_COMPUTERS, r->name) : r->name;
}

/* The ladder of a game, followed by the players whose ratings are not settled. */
static int say_ladder(struct request *q, const struct asked *a, struct err *e)
{
	const char *list = list_of(q, a, a->rules), *title = rating_list_title(q->arena, list);
	static const char heading[] = " place player                    rating  games  last game\n";
	struct str s = str_in(q->arena, 65536), more = str_in(q->arena, 65536);
	struct standings l = { .q = q, .out = &s, .humans = a->humans };
	size_t settled;

	str_add(&s, heading);
	int rc = fill(&l, store_ranking, list, ROWS, e);
	settled = l.shown;
	l.out = &more;
	if (rc == 0)
		rc = fill(&l, store_ranking_provisional, list, ROWS, e);
	if (!settled)
		str_clear(&s);
	if (l.shown)
		str_addf(&s, "%sProvisional, until some more rated games are played:\n%s%s",
		         settled ? "\n" : "", settled ? "" : heading, more.data);
	if (rc < 0)
		return rc;
	request_page(
		q, "the standings",
		arena_printf(
			q->arena,
			settled ? "The best at %s:"
				: "Nobody's rating at %s is settled yet: that takes some rated games.",
			title),
		s.data);
	return 0;
}

/* Lists the leader of each game; where nobody's rating is settled, the best provisional one. */
static int say_leaders(struct request *q, const struct asked *a, struct err *e)
{
	struct str s = str_in(q->arena, 65536);
	struct standings l = { .q = q, .out = &s, .humans = a->humans };
	size_t all = 0, settled = 0;
	int rc = 0;

	str_add(&s, " game                  player                    rating  games\n");
	for (size_t i = 0; rc == 0 && rules_all[i]; i++) {
		const char *list = list_of(q, a, rules_all[i]);

		l.game = rating_list_title(q->arena, list);
		rc = fill(&l, store_ranking, list, 1, e);
		settled += l.shown;
		if (rc == 0 && l.shown == 0)
			rc = fill(&l, store_ranking_provisional, list, 1, e);
		all += l.shown;
	}
	if (rc < 0)
		return rc;
	if (all == 0)
		str_clear(&s);
	if (all > settled)
		str_add(&s, "\n? means provisional: that ends after some more rated games.\n");
	request_page(q, "the standings",
	             settled ? "Who leads, game by game:"
	                     : "Nobody's rating is settled yet: that takes some rated games.",
	             s.data);
	return 0;
}

/* standings [game] [-humans], best */
static int run_standings(struct request *q, struct call *c, struct err *e)
{
	struct asked a;

	if (mail_limits_is_full(q) || !read_asked(q, c, false, &a))
		return 0;
	return a.rules ? say_ladder(q, &a, e) : say_leaders(q, &a, e);
}

/* ratings [userid|game] [-humans]: pbmserv's word for a player's ratings, and for ladders */
static int run_ratings(struct request *q, struct call *c, struct err *e)
{
	struct asked a;

	if (mail_limits_is_full(q) || !read_asked(q, c, true, &a))
		return 0;
	if (a.rules)
		return say_ladder(q, &a, e);
	if (a.userid || c->actor)
		return rating_text_rank(q, a.userid ? a.userid : c->actor->userid, e);
	return say_leaders(q, &a, e);
}

const struct command cmd_rank_table[] = {
	COMMAND("standings", "standings [game] [-humans|-computers]",
	        "the ladder of a game, or who leads each; -humans: without computers; -computers: of games against those of the server",
	        GROUP_READ, 0, .run = run_standings),
	COMMAND("best", "best [game] [-humans]", "the same", GROUP_READ, 0, .run = run_standings),
	COMMAND("ratings", "ratings [userid|game] [-humans]",
	        "a player's ratings, or the ladder of a game", GROUP_READ, 0, .run = run_ratings),
	{ .word = NULL }
};
