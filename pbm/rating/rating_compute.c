#include "pbm/rating/rating_compute.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/array.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"

#define PAGE 500
#define KEY_MAX 200
#define DAY_GAMES 200 /* of a player, at most */

/* One seat of a game, in the games of one run. */
struct seated {
	struct rated *game;
	uint8_t seat;
};

size_t rating_compute_player(struct rating_compute *b, const char *game, const char *userid)
{
	struct str key = STR_LOCAL(KEY_MAX);

	str_addf(&key, "%s %s", game, userid);
	for (char *p = key.data; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	json_t *index = json_object_get(b->places, key.data);
	if (!index) {
		index = json_integer((json_int_t)b->players.n);
		json_object_set_new(b->places, key.data, index);
		*ARRAY_ADD(NULL, &b->players) = (struct rated_player){
			.userid = arena_strdup(&b->a, key.data + strlen(game) + 1),
			.game = arena_strdup(&b->a, game),
			.loaded = b->since == 0
		};
	}
	return (size_t)json_integer_value(index);
}

static void add_game(struct rating_compute *b, const struct game_doc *d)
{
	struct rated *g = ARRAY_ADD(NULL, &b->games);

	*g = (struct rated){ .board = d->board, .ended = d->ended, .run = d->ended };
	for (uint8_t i = 0; i < 2; i++) {
		g->score[i] = rating_score(d, i);
		g->player[i] = rating_compute_player(b, game_doc_list(d), d->players[i]);
		if (!d->rating_count)
			continue;
		g->old[i] = d->ratings[i];
		if (d->ratings[i].with)
			g->old[i].with = arena_strdup(&b->a, d->ratings[i].with);
		g->run = d->ratings[i].run ? d->ratings[i].run : g->run;
	}
}

struct rated_page {
	struct rating_compute *b;
	struct finished_place last;
	size_t n;
	struct err *e;
};

static int take_game(const struct game_row *row, void *arg)
{
	struct rated_page *p = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	struct err why = { 0 };

	if (row->ended < p->b->since || (p->b->most && p->b->games.n > p->b->most))
		return 1;
	p->n++;
	p->last = (struct finished_place){ row->ended, row->board };
	int rc = store_game_get_summary(p->b->s, &a, row->board, &d, &why);
	if (rc == 0 && rating_counts(&d))
		add_game(p->b, &d);
	if (rc == 0)
		return 0;
	if (err_is_of_machine(&why))
		return err_set(p->e, why.code, "%s", why.text);
	log_warn("board %lld is left out: %s", (long long)row->board, why.text);
	p->b->unread++;
	return 0;
}

static int collect(struct rating_compute *b, struct err *e)
{
	struct rated_page p = { .b = b, .last = { INT64_MAX, INT64_MAX }, .n = PAGE, .e = e };
	int rc = 0;

	while (rc == 0 && p.n == PAGE) {
		p.n = 0;
		rc = store_finished(b->s, NULL, b->game, p.last, 0, PAGE, take_game, &p, e);
	}
	return rc < 0 ? rc : 0;
}

static int by_run(const void *a, const void *b)
{
	const struct rated *s = a, *t = b;

	if (s->run != t->run)
		return s->run < t->run ? -1 : 1;
	return s->board < t->board ? -1 : s->board > t->board;
}

/* By player; one player's games as they were rated. */
static int by_player(const void *a, const void *b)
{
	const struct seated *s = a, *t = b;
	size_t p = s->game->player[s->seat], q = t->game->player[t->seat];
	int64_t m = s->game->old[s->seat].games, n = t->game->old[t->seat].games;

	if (p != q)
		return p < q ? -1 : 1;
	if (m != n)
		return m < n ? -1 : 1;
	return s->game->board < t->game->board ? -1 : s->game->board > t->game->board;
}

/* Sets what the player of these n seats had before the run. */
static void begin_player(struct rating_compute *b, const struct seated *v, size_t n)
{
	int64_t run = v->game->run;
	const struct game_rating *last = &b->players.v[v->game->player[v->seat]].last;
	struct glicko g = { GLICKO_RATING, GLICKO_DEVIATION, GLICKO_VOLATILITY };

	if (last->games) {
		g = (struct glicko){ (double)last->rating / 100, (double)last->deviation / 100,
			             (double)last->volatility / 1e9 };
		g.deviation = glicko_after_pause(&g, (double)(run - last->run) / RATING_PERIOD);
	}
	for (size_t i = 0; i < n; i++) {
		struct game_rating *r = &v[i].game->made[v[i].seat];

		*r = (struct game_rating){ .seat = v[i].seat,
			                   .run = run,
			                   .games = last->games + (int64_t)i + 1 };
		rating_set_before(r, &g);
	}
}

static int by_number(const void *a, const void *b)
{
	const int64_t *s = a, *t = b;

	return *s < *t ? -1 : *s > *t;
}

/* "15 17": the boards of the first n seats. */
static const char *write_with(struct rating_compute *b, const struct seated *v, size_t n)
{
	int64_t boards[RATING_RUN_MAX];
	struct str s = STR_LOCAL(1000);

	for (size_t i = 0; i < n; i++)
		boards[i] = v[i].game->board;
	if (n)
		qsort(boards, n, sizeof *boards, by_number);
	for (size_t i = 0; i < n; i++)
		str_addf(&s, "%s%lld", i ? " " : "", (long long)boards[i]);
	return n ? arena_strdup(&b->a, s.data) : NULL;
}

/* Rates the games of one player in the run; what all players had before is set. */
static void rate_player(struct rating_compute *b, const struct seated *v, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		struct game_rating *r = &v[k].game->made[v[k].seat];
		struct rated_game games[RATING_RUN_MAX + 1];
		size_t from = k < RATING_RUN_MAX ? 0 : k - RATING_RUN_MAX;

		for (size_t i = from; i <= k; i++) {
			const struct rated *g = v[i].game;

			games[i - from] = (struct rated_game){
				g->board,
				{ rating_before(&g->made[!v[i].seat]), g->score[v[i].seat] }
			};
		}
		r->with = write_with(b, v + from, k - from);
		rating_set_after(r, games, k - from + 1);
	}
	struct rated_player *p = &b->players.v[v->game->player[v->seat]];
	p->last = v[n - 1].game->made[v[n - 1].seat];
	p->board = v[n - 1].game->board;
	p->ended = v[n - 1].game->ended;
}

/* The number of seats at v that belong to the same player. */
static size_t same_player(const struct seated *v, size_t n)
{
	size_t i = 1;

	while (i < n && v[i].game->player[v[i].seat] == v->game->player[v->seat])
		i++;
	return i;
}

/* A player's last game before those that are computed.  The games of a day may have been rated
 * in another order than they ended, when a clock stood still or was put right. */
struct earlier {
	struct rating_compute *b;
	struct rated_player *p;
	int64_t newest; /* when the first game found ended */
	struct err *e;
};

static void consider(struct earlier *f, const struct game_doc *d)
{
	const struct game_rating *r = &d->ratings[strcasecmp(d->players[0], f->p->userid) != 0];

	if (r->games <= f->p->last.games)
		return;
	f->p->last = *r;
	f->p->last.with = NULL;
	f->p->last.run = r->run ? r->run : d->ended;
	f->p->board = d->board;
	f->p->ended = d->ended;
}

static int take_before(int64_t board, void *arg)
{
	struct earlier *f = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	struct err why = { 0 };
	int rc = store_game_get_summary(f->b->s, &a, board, &d, &why);

	if (rc == 0 && d.rating_count == 2) {
		f->newest = f->newest ? f->newest : d.ended;
		if (d.ended < f->newest - CLOCK_DAY)
			rc = 1;
		else
			consider(f, &d);
	} else if (rc < 0) {
		rc = err_of_machine(f->e, &why);
	}
	return rc;
}

int rating_compute_load(struct rating_compute *b, size_t player, struct err *e)
{
	struct rated_player *p = &b->players.v[player];
	struct earlier f = { .b = b, .p = p, .e = e };

	if (p->loaded)
		return 0;
	p->loaded = true;
	return store_rated_before(b->s, p->userid, p->game, b->since, DAY_GAMES, take_before, &f,
	                          e);
}

/* Rates the n games of one run. */
static int rate_run(struct rating_compute *b, struct rated *games, size_t n, struct err *e)
{
	AUTO(mem_free) struct seated *v = mem_alloc(2 * n * sizeof *v);
	int rc = 0;

	for (size_t i = 0; i < 2 * n; i++)
		v[i] = (struct seated){ &games[i / 2], (uint8_t)(i % 2) };
	qsort(v, 2 * n, sizeof *v, by_player);
	for (size_t i = 0, k; rc == 0 && i < 2 * n; i += k) {
		k = same_player(v + i, 2 * n - i);
		rc = rating_compute_load(b, v[i].game->player[v[i].seat], e);
		begin_player(b, v + i, k);
	}
	for (size_t i = 0, k; rc == 0 && i < 2 * n; i += k) {
		k = same_player(v + i, 2 * n - i);
		rate_player(b, v + i, k);
	}
	return rc;
}

static int rate_all(struct rating_compute *b, struct err *e)
{
	struct rated *v = b->games.v;
	size_t all = b->games.n, n;
	int rc = 0;

	if (all)
		qsort(v, all, sizeof *v, by_run);
	for (size_t i = 0; rc == 0 && i < all; i += n) {
		for (n = 1; i + n < all && v[i + n].run == v[i].run;)
			n++;
		rc = rate_run(b, v + i, n, e);
	}
	return rc;
}

int rating_compute(struct rating_compute *b, struct err *e)
{
	b->places = json_object();
	int rc = collect(b, e);

	if (rc == 0 && b->most && b->games.n > b->most)
		return 1;
	return rc == 0 ? rate_all(b, e) : rc;
}

static bool is_same(const struct game_rating *a, const struct game_rating *b)
{
	const char *one = a->with ? a->with : "", *other = b->with ? b->with : "";

	return a->before == b->before && a->rating == b->rating && a->deviation == b->deviation &&
	       a->volatility == b->volatility && a->games == b->games && a->run == b->run &&
	       a->before_deviation == b->before_deviation &&
	       a->before_volatility == b->before_volatility && strcmp(one, other) == 0;
}

bool rating_compute_differs(const struct rated *g)
{
	return !is_same(&g->old[0], &g->made[0]) || !is_same(&g->old[1], &g->made[1]);
}

void rating_compute_release(struct rating_compute *b)
{
	json_decref(b->places);
	free(b->games.v);
	free(b->players.v);
	arena_release(&b->a);
}
