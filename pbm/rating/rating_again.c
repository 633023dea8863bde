#include "pbm/rating/rating_again.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/log.h"
#include "pbm/rating/rating_compute.h"
#include "pbm/rating/rating_news.h"
#include "pbm/rating/rating_rebuild.h"
#include "store/store_documents.h"
#include "store/store_ratings.h"
#include "store/store_work.h"

static int add_earlier(struct store *s, struct match *m, uint8_t seat, struct rated_game *games,
                       size_t *n, struct err *e)
{
	const char *text = m->doc.ratings[seat].with;
	char *end;

	for (; text && *text && *n < RATING_RUN_MAX; text = end + (*end == ' ')) {
		struct game_doc d;
		int64_t board = strtoll(text, &end, 10);

		if (end == text)
			break;
		int rc = store_game_get(s, m->arena, board, &d, e);
		if (rc < 0)
			return rc;
		if (d.rating_count != 2)
			continue;
		uint8_t own = strcasecmp(d.players[0], m->doc.players[seat]) != 0;
		games[(*n)++] = (struct rated_game){
			board, { rating_before(&d.ratings[!own]), rating_score(&d, own) }
		};
	}
	return 0;
}

int rating_again_show(struct store *s, struct match *m, struct err *e)
{
	struct game_doc *d = &m->doc;
	struct rated_game games[RATING_RUN_MAX + 1];
	int rc = 0;

	for (uint8_t i = 0; rc == 0 && i < d->rating_count; i++) {
		struct game_rating *r = &d->ratings[i], made = *r;
		size_t n = 0;

		if (!r->before_deviation || !d->ratings[!i].before_deviation)
			return 0; /* an older version rated the game */
		rc = add_earlier(s, m, i, games, &n, e);
		games[n++] = (struct rated_game){
			d->board, { rating_before(&d->ratings[!i]), rating_score(d, i) }
		};
		rating_set_after(&made, games, n);
		r->then_before = game_rating_then(r).before;
		r->then_rating = made.rating;
		r->then_deviation = made.deviation;
	}
	return rc;
}

/* ---- the steps ---- */

struct rerating {
	struct rating_compute c;
	struct rating_row *rows; /* of each player; games is 0: none */
	size_t games, players;   /* that changed */
};

struct losing_list {
	struct rating_compute *c;
	const char *list;
};

static int add_lost(const char *userid, void *arg)
{
	struct losing_list *l = arg;

	rating_compute_player(l->c, l->list, userid);
	return 0;
}

/* The players' rows, and the ratings of those whose last game counts no more. */
static int find_rows(struct rerating *a, struct err *e)
{
	struct rating_compute *c = &a->c;
	const char *lists[] = { c->game, arena_printf(&c->a, "%s" GAME_COMPUTERS, c->game) };
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < 2; i++)
		rc = store_ratings_lost(c->s, lists[i], add_lost,
		                        &(struct losing_list){ c, lists[i] }, e);

	a->rows = mem_alloc((c->players.n + 1) * sizeof *a->rows);
	memset(a->rows, 0, (c->players.n + 1) * sizeof *a->rows);
	for (size_t i = 0; rc >= 0 && i < c->players.n; i++) {
		rc = rating_compute_load(c, i, e);
		if (rc >= 0)
			rc = store_rating(c->s, c->players.v[i].userid, c->players.v[i].game,
			                  &a->rows[i], e);
	}
	return rc < 0 ? rc : 0;
}

/* Does a player's present rating come from this game? */
static bool is_last(const struct rerating *a, const struct rated *g)
{
	for (int i = 0; i < 2; i++)
		if (a->rows[g->player[i]].board == g->board ||
		    a->c.players.v[g->player[i]].board == g->board)
			return true;
	return false;
}

/* The games before each player's last one, so many in a transaction: the players' present
 * ratings don't come from them. */
static int write_earlier(struct rerating *a, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < a->c.games.n;) {
		size_t n = 0;

		for (; i < a->c.games.n && n < RATING_AGAIN_STEP; i++) {
			struct rated *g = &a->c.games.v[i];

			if (rc < 0 || !rating_compute_differs(g) || is_last(a, g))
				continue;
			if (n++ == 0)
				rc = store_begin(a->c.s, e);
			if (rc == 0)
				rc = rating_rebuild_write(a->c.s, g, true, e);
		}
		a->games += n;
		if (n)
			rc = store_end(a->c.s, rc, e);
	}
	return rc;
}

static int set_row(struct rerating *a, size_t i, struct err *e)
{
	const struct rated_player *p = &a->c.players.v[i];
	const struct rating_row *was = &a->rows[i];
	const struct game_rating *l = &p->last;
	struct store *s = a->c.s;

	if (was->games == l->games && was->rating == l->rating && was->board == p->board &&
	    was->deviation == l->deviation && was->volatility == l->volatility)
		return 0;
	a->players++;
	int rc = rating_news_note(s, p->userid, p->game, was->rating, l->games ? l->rating : 0, e);
	if (rc == 0)
		rc = store_rating_set(s,
		                      &(struct rating_row){ .player = p->userid,
		                                            .game = p->game,
		                                            .board = p->board,
		                                            .rating = l->rating,
		                                            .deviation = l->deviation,
		                                            .volatility = l->volatility,
		                                            .games = l->games,
		                                            .ended = p->ended },
		                      e);
	int64_t board = p->board ? p->board : was->board; /* whose pages show the rating */
	return rc == 0 && board ? store_work_add(s, WORK_GAME, board, 0, e) : rc;
}

/* All players' new ratings, with the games that they come from. */
static int write_last(struct rerating *a, struct err *e)
{
	int rc = store_begin(a->c.s, e);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < a->c.games.n; i++) {
		struct rated *g = &a->c.games.v[i];

		if (!rating_compute_differs(g) || !is_last(a, g))
			continue;
		a->games++;
		rc = rating_rebuild_write(a->c.s, g, true, e);
	}
	/* After the games, which set rows of their own. */
	for (size_t i = 0; rc == 0 && i < a->c.players.n; i++)
		rc = set_row(a, i, e);
	if (rc == 0)
		rc = rating_again_done(a->c.s, a->c.game, e);
	return store_end(a->c.s, rc, e);
}

static int rate_kind(struct store *s, const char *game, int64_t since, size_t most, struct err *e)
{
	struct rerating a = { .c = { .s = s, .game = game, .since = since, .most = most } };
	int rc = rating_compute(&a.c, e);

	if (rc == 0)
		rc = find_rows(&a, e);
	if (rc == 0)
		rc = write_earlier(&a, e);
	if (rc == 0)
		rc = write_last(&a, e);
	if (rc == 0)
		log_info("ratings in %s were computed again: %zu games and %zu players have others",
		         game, a.games, a.players);
	free(a.rows);
	rating_compute_release(&a.c);
	return rc < 0 ? rc : 0;
}

struct rerating_run {
	struct store *s;
	size_t most;
	struct err *e;
};

static int rate_next(const char *game, int64_t since, void *arg)
{
	const struct rerating_run *a = arg;

	return since && rules_find(game, strlen(game), NULL)
	               ? rate_kind(a->s, game, since, a->most, a->e)
	               : 0;
}

int rating_again_run(struct store *s, bool quick, struct err *e)
{
	struct rerating_run a = { s, quick ? RATING_AGAIN_QUICK : 0, e };

	return store_rating_again(s, rate_next, &a, e);
}
