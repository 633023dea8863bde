#include "pbm/rating/rating_rebuild.h"

#include "pbm/rating/rating_again.h"
#include "pbm/rating/rating_compute.h"
#include "pbm/rating/rating_news.h"
#include "store/store_documents.h"
#include "store/store_ratings.h"
#include "store/store_work.h"

struct rewriting {
	struct rated *game;
	bool keep; /* the change follows from an act, so pages keep the ratings of the day of play */
};

static void set_ratings(struct game_doc *d, void *arg)
{
	const struct rewriting *w = arg;
	struct rated *g = w->game;

	for (uint8_t i = 0; i < 2; i++) {
		struct game_rating *r = &g->made[i];
		struct rating_then then = game_rating_then(&g->old[i]);

		if (!d->rating_count || (!w->keep && !g->old[i].then_deviation))
			continue;
		if (then.before == r->before && then.rating == r->rating &&
		    then.deviation == r->deviation)
			continue;
		r->then_before = then.before;
		r->then_rating = then.rating;
		r->then_deviation = then.deviation;
	}
	d->ratings = g->made;
	d->rating_count = 2;
}

static int index_again(struct store *s, struct rewriting *w, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	int rc = store_game_get_summary(s, &a, w->game->board, &d, e);

	if (rc == 0) {
		set_ratings(&d, w);
		rc = store_ratings_put(s, &d, e);
	}
	return rc;
}

int rating_rebuild_write(struct store *s, struct rated *g, bool keep, struct err *e)
{
	struct rewriting w = { g, keep };

	if (!rating_compute_differs(g))
		return index_again(s, &w, e);
	int rc = store_game_rate(s, g->board, set_ratings, &w, e);
	/* Its page stays as it is, but the archive has a copy of the document, too. */
	return rc == 0 ? store_work_add(s, WORK_GAME, g->board, 0, e) : rc;
}

/* Players read of it if an act was the cause. */
static int note_moved(struct rating_compute *c, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->players.n; i++) {
		const struct rated_player *p = &c->players.v[i];

		if (!rating_again_is_wanted(c->s, p->game))
			continue;
		struct rating_row row = { 0 };
		rc = store_rating(c->s, p->userid, p->game, &row, e);
		if (rc >= 0)
			rc = rating_news_note(c->s, p->userid, p->game, row.rating, p->last.rating,
			                      e);
		if (rc == 0 && p->board)
			rc = store_work_add(c->s, WORK_GAME, p->board, 0, e);
	}
	return rc;
}

static int compare_all(struct rating_compute *c, bool write, struct rebuild_report *r,
                       struct err *e)
{
	int rc = write ? store_begin(c->s, e) : 0;

	if (rc == 0 && write)
		rc = note_moved(c, e);
	if (rc == 0 && write)
		rc = store_ratings_clear(c->s, e);
	for (size_t i = 0; rc == 0 && i < c->games.n; i++) {
		struct rated *g = &c->games.v[i];
		const struct rated_player *p = &c->players.v[g->player[0]];

		r->wrong += rating_compute_differs(g);
		if (write)
			rc = rating_rebuild_write(c->s, g, rating_again_is_wanted(c->s, p->game),
			                          e);
	}
	if (rc == 0 && write)
		rc = rating_again_done_all(c->s, e);
	return write ? store_end(c->s, rc, e) : rc;
}

int rating_rebuild(struct store *s, bool write, struct rebuild_report *r, struct err *e)
{
	struct rating_compute c = { .s = s };
	int rc = rating_compute(&c, e);

	if (rc == 0) {
		r->games = (int64_t)c.games.n;
		r->unread = c.unread;
		rc = compare_all(&c, write, r, e);
	}
	rating_compute_release(&c);
	return rc;
}
