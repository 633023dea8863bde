/* Ratings, ladders and finished games. */
#include "pbm/commands/cmd.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/command.h"
#include "pbm/people/volume.h"
#include "pbm/request/rating.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_ladder.h"
#include "store/store_questions.h"

#define LADDER_ROWS 20
#define HISTORY_ROWS 50

static const char *title_of(const char *game)
{
	const struct rules *r = rules_find(game, strlen(game), NULL);

	return r ? r->title : game;
}

/* The userid as its owner writes it. */
static const char *name_of(struct request *q, const char *key)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, key, &p, NULL) == 0 ? p.userid : key;
}

static struct note *say_table(struct request *q, const char *subject, const char *headline,
                              struct str *body)
{
	struct note *n = request_note(q, NULL, 0, 0);

	n->subject = subject;
	n->headline = headline;
	n->body = arena_strdup(q->arena, body->data);
	str_release(body);
	return n;
}

struct rating_table {
	struct request *q;
	struct str *out;
	size_t n;
};

static int ladder_row(const struct rating_row *row, void *arg)
{
	struct rating_table *t = arg;
	char when[100];
	struct str s = STR_FIXED(when);

	if (t->n++ == 0)
		str_add(t->out, " rank  player                rating  games  last game\n");
	text_date(row->ended, request_zone(t->q, request_userid(t->q)), &s);
	str_addf(t->out, "%5zu  %-20s  %6.0f %6lld  %s\n", t->n, name_of(t->q, row->player),
	         (double)row->rating / 100, (long long)row->games, when);
	return 0;
}

static int ladder_of(struct request *q, const char *game, struct err *e)
{
	struct str s;
	struct rating_table t = { .q = q, .out = &s };

	str_init(&s, 65536);
	int rc = store_ladder(q->site->store, game, LADDER_ROWS, 0, ladder_row, &t, e);
	if (rc < 0) {
		str_release(&s);
		return rc;
	}
	say_table(
		q, "standings",
		t.n ? arena_printf(q->arena, "The best at %s:", title_of(game))
		    : arena_printf(
			      q->arena,
			      "Nobody's rating at %s is settled yet: that takes some rated games.",
			      title_of(game)),
		&s);
	return 0;
}

static int leader_row(const struct rating_row *row, void *arg)
{
	struct rating_table *t = arg;

	if (t->n++ == 0)
		str_add(t->out, " game                  player                rating  games\n");
	str_addf(t->out, " %-20s  %-20s  %6.0f %6lld\n", title_of(row->game),
	         name_of(t->q, row->player), (double)row->rating / 100, (long long)row->games);
	return 0;
}

/* standings [game]: a ladder, or who leads each. */
static int run_standings(struct request *q, struct call *c, struct err *e)
{
	struct str s;
	struct rating_table t = { .q = q, .out = &s };
	const struct rules *r = c->rules;
	int rc = 0;

	if (volume_is_full(q))
		return 0;
	if (!r && c->argc)
		r = rules_find(c->argv[0], strlen(c->argv[0]), NULL);
	if (!r && c->argc) {
		request_refuse(q, 0, "There is no game %.40s.  For example: standings suicide",
		               c->argv[0]);
		return 0;
	}
	if (r)
		return ladder_of(q, r->name, e);
	str_init(&s, 65536);
	for (size_t i = 0; rc == 0 && rules_all[i]; i++)
		rc = store_ladder(q->site->store, rules_all[i]->name, 1, 0, leader_row, &t, e);
	if (rc < 0) {
		str_release(&s);
		return rc;
	}
	say_table(q, "standings",
	          t.n ? "Who leads, game by game:"
	              : "Nobody's rating is settled yet: that takes some rated games.",
	          &s);
	return 0;
}

static int rating_line(const struct rating_row *row, void *arg)
{
	struct rating_table *t = arg;
	struct rating now;
	int64_t above = 0, all = 0;
	char text[40];
	struct str s = STR_FIXED(text);

	if (rating_get(t->q->site->store, row->player, row->game, t->q->now, &now, NULL) < 0)
		return 0;
	if (t->n++ == 0)
		str_add(t->out, " game                  rating  deviation  games  place\n");
	rating_write(now.now.rating, now.now.deviation, &s);
	str_addf(t->out, " %-20s  %6s  %9.0f %6lld  ", title_of(row->game), text, now.now.deviation,
	         (long long)row->games);
	if ((double)row->deviation / 100 < RATING_PROVISIONAL &&
	    store_ladder_place(t->q->site->store, row->game, row->rating, &above, &all, NULL) == 0)
		str_addf(t->out, "%lld of %lld\n", (long long)above + 1, (long long)all);
	else
		str_add(t->out, "provisional\n");
	return 0;
}

static bool find_user(struct request *q, const char *word, struct player_doc *out)
{
	if (store_player_get(q->site->store, q->arena, word, out, NULL) == 0)
		return true;
	request_refuse(q, 0, "There is no player %.40s.", word);
	return false;
}

/* rank [userid] */
static int run_rank(struct request *q, struct call *c, struct err *e)
{
	struct str s;
	struct rating_table t = { .q = q, .out = &s };
	struct player_doc p;

	if (c->argc == 0 && !c->actor) {
		request_refuse(q, 0, "Name a player.  For example: rank alice");
		return 0;
	}
	if (!find_user(q, c->argc ? c->argv[0] : c->actor->userid, &p))
		return 0;
	str_init(&s, 65536);
	int rc = store_ratings_of(q->site->store, p.userid, rating_line, &t, e);
	if (rc < 0) {
		str_release(&s);
		return rc;
	}
	say_table(q, "ratings",
	          arena_printf(q->arena,
	                       t.n ? "%s's ratings:" : "%s has not finished a rated game yet.",
	                       p.userid),
	          &s);
	return 0;
}

/* assess userid game */
static int run_assess(struct request *q, struct call *c, struct err *e)
{
	static const struct {
		const char *what;
		double score;
	} ends[] = {
		{ "a win", 1 },
		{ "a draw", 0.5 },
		{ "a loss", 0 },
	};
	const struct rules *r = c->rules;
	struct player_doc p;
	struct rating mine, theirs;
	struct str s;

	for (size_t i = 1; !r && i < c->argc; i++)
		r = rules_find(c->argv[i], strlen(c->argv[i]), NULL);
	if (!c->actor || !r) {
		request_refuse(q, 0, "Name a player and a game.  For example: assess bob suicide");
		return 0;
	}
	if (!find_user(q, c->argv[0], &p))
		return 0;
	int rc = rating_get(q->site->store, c->actor->userid, r->name, q->now, &mine, e);
	if (rc == 0)
		rc = rating_get(q->site->store, p.userid, r->name, q->now, &theirs, e);
	if (rc != 0)
		return rc;
	str_init(&s, 4096);
	str_addf(&s, " for you    %-20.20s %-20.20s\n", c->actor->userid, p.userid);
	for (size_t i = 0; i < 3; i++) {
		struct glicko_game g = { theirs.now, ends[i].score },
				   h = { mine.now, 1 - ends[i].score };
		struct glicko a = glicko_update(mine.now, &g, 1, 0),
			      b = glicko_update(theirs.now, &h, 1, 0);
		char left[40], right[40];

		snprintf(left, sizeof left, "%.0f -> %.0f", mine.now.rating, a.rating);
		snprintf(right, sizeof right, "%.0f -> %.0f", theirs.now.rating, b.rating);
		str_addf(&s, " %-9s  %-20s %-20s\n", ends[i].what, left, right);
	}
	say_table(q, "what a game would do",
	          arena_printf(q->arena,
	                       "A rated game of %s against %s.  You "
	                       "would score %.0f%% on average.",
	                       r->title, p.userid, 100 * glicko_expect(&mine.now, &theirs.now)),
	          &s);
	return 0;
}

static int history_row(const struct game_row *row, void *arg)
{
	struct rating_table *t = arg;
	char players[50], when[100];
	struct str s = STR_FIXED(when);

	if (t->n++ == 0)
		str_add(t->out, " board  game            players               result   ended\n");
	snprintf(players, sizeof players, "%s-%s", row->players[0], row->players[1]);
	text_date(row->ended, request_zone(t->q, request_userid(t->q)), &s);
	str_addf(t->out, "%6lld  %-14.14s  %-20s  %-7s  %s\n", (long long)row->board,
	         title_of(row->game), players, row->result, when);
	if (*t->q->site->archive_url)
		str_addf(t->out, "        %s/games/%03lld/%lld.html\n", t->q->site->archive_url,
		         (long long)(row->board / 1000), (long long)row->board);
	return 0;
}

/* history [userid] [game] */
static int run_history(struct request *q, struct call *c, struct err *e)
{
	struct str s;
	struct rating_table t = { .q = q, .out = &s };
	const struct rules *r = c->rules;
	const char *user = NULL;
	struct player_doc p;

	for (size_t i = 0; i < c->argc; i++) {
		const struct rules *found = rules_find(c->argv[i], strlen(c->argv[i]), NULL);

		if (found)
			r = found;
		else
			user = c->argv[i];
	}
	if (volume_is_full(q) || (user && !find_user(q, user, &p)))
		return 0;
	user = user ? p.userid : c->actor && !r ? c->actor->userid : NULL;
	str_init(&s, 65536);
	int rc = store_games(q->site->store, user, r ? r->name : NULL, GAMES_FINISHED, HISTORY_ROWS,
	                     0, history_row, &t, e);
	if (rc < 0) {
		str_release(&s);
		return rc;
	}
	say_table(q, "finished games",
	          t.n == 0              ? "No finished game of that kind."
	          : t.n == HISTORY_ROWS ? "The latest of the finished games:"
	                                : "The finished games:",
	          &s);
	return 0;
}

const struct command cmd_rating_table[] = {
	{ .word = "standings",
	  .usage = "standings [game]",
	  .group = GROUP_READ,
	  .run = run_standings,
	  .help = "the ladder of a game, or who leads each" },
	{ .word = "rank",
	  .usage = "rank [userid]",
	  .group = GROUP_READ,
	  .run = run_rank,
	  .help = "a player's ratings and places" },
	{ .word = "assess",
	  .usage = "assess userid game",
	  .group = GROUP_READ,
	  .least = 1,
	  .run = run_assess,
	  .help = "what a win, a draw and a loss would do to both ratings" },
	{ .word = "history",
	  .usage = "history [userid] [game]",
	  .group = GROUP_READ,
	  .run = run_history,
	  .help = "finished games" },
	{ .word = NULL }
};
