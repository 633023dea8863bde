#include "pbm/request/rating_rebuild.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/array.h"
#include "pbm/base/log.h"
#include "pbm/request/rating.h"
#include "store/store_documents.h"
#include "store/store_ladder.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define PAGE 500
#define KEY_MAX 200

/* A rated game. */
struct rated {
	int64_t board, run;
	double score[2];
	size_t player[2];          /* indexes of the players' ratings in this kind of game */
	struct game_rating old[2]; /* as the document has them; games is 0: it has none */
	struct game_rating made[2];
};

/* A player's rating in one kind of game, after the runs so far. */
struct state {
	struct game_rating last; /* games is 0: none yet */
};

/* One seat of a game, in the games of one run. */
struct seated {
	struct rated *game;
	uint8_t seat;
};

struct rebuilding {
	struct store *s;
	const char *game; /* the only kind; NULL: all */
	struct arena a;
	json_t *players; /* "suicide alice": index */
	struct {
		size_t n, cap;
		struct rated *v;
	} games;
	struct state *states;
	struct rebuild_report *r;
};

static size_t find_player(struct rebuilding *b, const char *game, const char *userid)
{
	char key[KEY_MAX];
	struct str s = STR_FIXED(key);

	str_addf(&s, "%s %s", game, userid);
	for (char *p = key; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	json_t *index = json_object_get(b->players, key);
	if (!index) {
		index = json_integer((json_int_t)json_object_size(b->players));
		json_object_set_new(b->players, key, index);
	}
	return (size_t)json_integer_value(index);
}

static void add_game(struct rebuilding *b, const struct game_doc *d)
{
	struct rated *g = ARRAY_ADD(NULL, &b->games);

	*g = (struct rated){ .board = d->board, .run = d->ended };
	for (uint8_t i = 0; i < 2; i++) {
		g->score[i] = rating_score(d, i);
		g->player[i] = find_player(b, d->game, d->players[i]);
		if (!d->rating_count)
			continue;
		g->old[i] = d->ratings[i];
		if (d->ratings[i].with)
			g->old[i].with = arena_strdup(&b->a, d->ratings[i].with);
		g->run = d->ratings[i].run ? d->ratings[i].run : g->run;
	}
}

struct rated_page {
	struct rebuilding *b;
	struct finished_place last;
	size_t n;
	struct err *e;
};

static int take_game(const struct game_row *row, void *arg)
{
	struct rated_page *p = arg;
	struct arena a = { 0 };
	struct game_doc d;
	struct err why = { 0 };

	p->n++;
	p->last = (struct finished_place){ row->ended, row->board };
	int rc = store_game_get(p->b->s, &a, row->board, &d, &why);
	if (rc == 0 && rating_counts(&d))
		add_game(p->b, &d);
	arena_release(&a);
	if (rc == 0)
		return 0;
	if (err_is_of_machine(&why))
		return err_set(p->e, why.code, "%s", why.text);
	log_warn("board %lld is left out: %s", (long long)row->board, why.text);
	p->b->r->unread++;
	return 0;
}

static int collect(struct rebuilding *b, struct err *e)
{
	struct rated_page p = { .b = b, .last = { INT64_MAX, INT64_MAX }, .n = PAGE, .e = e };
	int rc = 0;

	while (rc == 0 && p.n == PAGE) {
		p.n = 0;
		rc = store_finished(b->s, NULL, b->game, p.last, 0, PAGE, take_game, &p, e);
	}
	return rc;
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
static void begin_player(struct rebuilding *b, const struct seated *v, size_t n)
{
	int64_t run = v->game->run;
	const struct game_rating *last = &b->states[v->game->player[v->seat]].last;
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
static const char *write_with(struct rebuilding *b, const struct seated *v, size_t n)
{
	int64_t boards[RATING_RUN_MAX];
	char text[1000];
	struct str s = STR_FIXED(text);

	for (size_t i = 0; i < n; i++)
		boards[i] = v[i].game->board;
	if (n)
		qsort(boards, n, sizeof *boards, by_number);
	for (size_t i = 0; i < n; i++)
		str_addf(&s, "%s%lld", i ? " " : "", (long long)boards[i]);
	return n ? arena_strdup(&b->a, text) : NULL;
}

/* Rates the games of one player in the run; what all players had before is set. */
static void rate_player(struct rebuilding *b, const struct seated *v, size_t n)
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
	b->states[v->game->player[v->seat]].last = v[n - 1].game->made[v[n - 1].seat];
}

/* How many seats at v belong to the same player. */
static size_t same_player(const struct seated *v, size_t n)
{
	size_t i = 1;

	while (i < n && v[i].game->player[v[i].seat] == v->game->player[v->seat])
		i++;
	return i;
}

/* Rates the n games of one run. */
static void rate_run(struct rebuilding *b, struct rated *games, size_t n)
{
	struct seated *v = mem_alloc(2 * n * sizeof *v);

	for (size_t i = 0; i < 2 * n; i++)
		v[i] = (struct seated){ &games[i / 2], (uint8_t)(i % 2) };
	qsort(v, 2 * n, sizeof *v, by_player);
	for (size_t i = 0, k; i < 2 * n; i += k) {
		k = same_player(v + i, 2 * n - i);
		begin_player(b, v + i, k);
	}
	for (size_t i = 0, k; i < 2 * n; i += k) {
		k = same_player(v + i, 2 * n - i);
		rate_player(b, v + i, k);
	}
	free(v);
}

static void rate_all(struct rebuilding *b)
{
	struct rated *v = b->games.v;
	size_t all = b->games.n, n;

	b->states = mem_alloc((json_object_size(b->players) + 1) * sizeof *b->states);
	memset(b->states, 0, (json_object_size(b->players) + 1) * sizeof *b->states);
	if (all)
		qsort(v, all, sizeof *v, by_run);
	for (size_t i = 0; i < all; i += n) {
		for (n = 1; i + n < all && v[i + n].run == v[i].run;)
			n++;
		rate_run(b, v + i, n);
	}
}

static bool is_same(const struct game_rating *a, const struct game_rating *b)
{
	const char *one = a->with ? a->with : "", *other = b->with ? b->with : "";

	return a->before == b->before && a->rating == b->rating && a->deviation == b->deviation &&
	       a->volatility == b->volatility && a->games == b->games && a->run == b->run &&
	       a->before_deviation == b->before_deviation &&
	       a->before_volatility == b->before_volatility && strcmp(one, other) == 0;
}

static bool differs(const struct rated *g)
{
	return !is_same(&g->old[0], &g->made[0]) || !is_same(&g->old[1], &g->made[1]);
}

static void release(struct rebuilding *b)
{
	json_decref(b->players);
	free(b->games.v);
	free(b->states);
	arena_release(&b->a);
}

static int write_game(struct rebuilding *b, struct rated *g, bool wrong, struct err *e)
{
	struct arena a = { 0 };
	struct game_doc d;
	int rc = store_game_get(b->s, &a, g->board, &d, e);

	if (rc == 0) {
		d.ratings = g->made;
		d.rating_count = 2;
		rc = wrong ? store_game_put(b->s, &d, e) : store_ratings_put(b->s, &d, e);
	}
	if (rc == 0 && wrong)
		rc = store_archive_mark(b->s, g->board, e);
	arena_release(&a);
	return rc;
}

static int compare_all(struct rebuilding *b, bool write, struct err *e)
{
	int rc = write ? store_begin(b->s, e) : 0;

	if (rc == 0 && write)
		rc = store_ratings_clear(b->s, e);
	for (size_t i = 0; rc == 0 && i < b->games.n; i++) {
		struct rated *g = &b->games.v[i];
		bool wrong = differs(g);

		b->r->wrong += wrong;
		if (write)
			rc = write_game(b, g, wrong, e);
	}
	return write ? store_end(b->s, rc, e) : rc;
}

/* Empties the index of the players' ratings in this kind of game, and says who moves. */
static int drop_rows(struct rebuilding *b, rating_moved_fn *moved, void *arg, struct err *e)
{
	const char *key;
	json_t *index;
	int rc = 0;

	json_object_foreach(b->players, key, index) {
		const char *userid = strchr(key, ' ') + 1;
		const struct game_rating *last = &b->states[json_integer_value(index)].last;
		struct rating_row row = { 0 };

		if (rc == 0)
			rc = store_rating(b->s, userid, b->game, &row, e);
		if (rc == 1 && last->games && llabs(row.rating - last->rating) >= RATING_MOVED)
			moved(userid, row.rating, last->rating, arg);
		if (rc >= 0)
			rc = store_rating_drop(b->s, userid, b->game, e);
	}
	return rc;
}

int rating_rebuild_kind(struct store *s, const struct game_doc *changed, rating_moved_fn *moved,
                        void *arg, struct err *e)
{
	struct rebuild_report r = { 0 };
	struct rebuilding b = { .s = s, .game = changed->game, .players = json_object(), .r = &r };

	/* These two may have no other rated game. */
	find_player(&b, changed->game, changed->players[0]);
	find_player(&b, changed->game, changed->players[1]);
	int rc = collect(&b, e);
	if (rc == 0) {
		rate_all(&b);
		rc = drop_rows(&b, moved, arg, e);
	}
	for (size_t i = 0; rc == 0 && i < b.games.n; i++)
		rc = write_game(&b, &b.games.v[i], differs(&b.games.v[i]), e);
	release(&b);
	return rc;
}

int rating_rebuild(struct store *s, bool write, struct rebuild_report *r, struct err *e)
{
	struct rebuilding b = { .s = s, .players = json_object(), .r = r };
	int rc = collect(&b, e);

	if (rc == 0) {
		r->games = (int64_t)b.games.n;
		rate_all(&b);
		rc = compare_all(&b, write, e);
	}
	release(&b);
	return rc;
}
