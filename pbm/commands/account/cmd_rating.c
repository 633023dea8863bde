/* Ratings, ladders and finished games. */
#include "games/variants/registry.h"
#include "pbm/commands/account/account_tables.h"

#include <stdio.h>
#include <string.h>

#include "pbm/commands/account/rating_text.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/mail_limits.h"
#include "pbm/rating/rating.h"
#include "pbm/request/request_games.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"

#define HISTORY_ROWS 50

static bool find_user(struct request *q, const char *word, struct player_doc *out)
{
	if (store_player_get(q->site->store, q->arena, word, out, NULL) == 0)
		return true;
	return !request_refused(q, 0, "There is no player %.40s.", word);
}

/* rank [userid] */
static int run_rank(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;

	if (c->argc == 0 && !c->actor)
		return request_refused(q, 0, "Name a player.  For example: rank alice");
	if (!find_user(q, c->argc ? c->argv[0] : c->actor->userid, &p))
		return 0;
	return rating_text_rank(q, p.userid, e);
}

/* The words of "assess": a game anywhere, and one player, or two. */
struct assessed {
	const struct rules *rules;
	size_t n;
	const char *users[2];
};

static void read_assess(const struct call *c, struct assessed *a)
{
	*a = (struct assessed){ .rules = c->rules };
	for (size_t i = c->argc; i-- > 0;) {
		const char *word = c->argv[i];
		const struct rules *r = a->rules ? NULL : rules_find(word, strlen(word), NULL);

		if (r) {
			a->rules = r;
		} else if (a->n < 2) {
			a->users[1] = a->users[0];
			a->users[0] = word;
			a->n++;
		}
	}
}

/* assess [userid] userid game */
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
	struct assessed w;
	struct player_doc p, me;
	struct rating mine, theirs;

	read_assess(c, &w);
	const struct rules *r = w.rules;
	if (!r || w.n == 0 || (w.n == 1 && !c->actor))
		return request_refused(q, 0,
		                       "Name a player and a game.  For example: assess bob %s",
		                       example_game(q));
	if (!find_user(q, w.users[w.n - 1], &p) ||
	    !find_user(q, w.n == 2 ? w.users[0] : c->actor->userid, &me))
		return 0;
	int rc = rating_get(q->site->store, me.userid, r->name, q->now, &mine, e);
	if (rc == 0)
		rc = rating_get(q->site->store, p.userid, r->name, q->now, &theirs, e);
	if (rc != 0)
		return rc;
	struct str s = str_in(q->arena, 4096);
	str_addf(&s, " %-9s  %-20.20s %-20.20s\n", w.n == 1 ? "for you" : "", me.userid, p.userid);
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
	request_page(
		q, "what a game would do",
		arena_printf(
			q->arena,
			w.n == 1
				? "A rated game of %s against %s.  You would score %.0f%% on average."
				: "A rated game of %s against %s.  The first player would score %.0f%% on average.",
			r->title, p.userid, 100 * glicko_expect(&mine.now, &theirs.now)),
		s.data);
	return 0;
}

static void add_row(struct request *q, const struct game_row *row, struct str *out)
{
	char players[50];

	snprintf(players, sizeof players, "%s-%s", row->players[0], row->players[1]);
	str_addf(out, "%6lld  %-14.14s  %-20s  %-7s  %s\n", (long long)row->board,
	         rules_title(row->game), players, row->result,
	         request_date(q, request_userid(q), row->ended));
	if (*q->site->conf.archive_url)
		str_addf(out, "        %s\n", site_game_url(q->site, q->arena, row->board));
}

/* history [userid] [game] */
static int run_history(struct request *q, struct call *c, struct err *e)
{
	struct str s = str_in(q->arena, 65536);
	struct game_list games;
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
	if (mail_limits_is_full(q) || (user && !find_user(q, user, &p)))
		return 0;
	user = user ? p.userid : c->actor && !r ? c->actor->userid : NULL;
	int rc = request_games(q, user, r ? r->name : NULL, GAMES_FINISHED, HISTORY_ROWS, &games,
	                       e);
	if (rc < 0)
		return rc;
	if (games.n)
		str_add(&s, " board  game            players               result   ended\n");
	for (size_t i = 0; i < games.n; i++)
		add_row(q, &games.v[i], &s);
	request_page(q, "finished games",
	             games.n == 0              ? "No finished game of that kind."
	             : games.n == HISTORY_ROWS ? "The latest of the finished games:"
	                                       : "The finished games:",
	             s.data);
	return 0;
}

const struct command cmd_rating_table[] = {
	COMMAND("rank", "rank [userid]", "a player's ratings and places", GROUP_READ, 0,
	        .run = run_rank),
	COMMAND("assess", "assess [userid] userid game",
	        "what a win, a draw and a loss would do to both ratings", GROUP_READ, 0, .least = 1,
	        .run = run_assess),
	COMMAND("history", "history [userid] [game]", "finished games", GROUP_READ, 0,
	        .run = run_history),
	{ .word = NULL }
};
