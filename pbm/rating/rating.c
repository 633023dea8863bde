#include "pbm/rating/rating.h"
#include "pbm/site/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_ratings.h"

#define RATING_RUN "clock-rating-run" /* a reindex keeps values with such names */

int rating_get(struct store *s, const char *userid, const char *game, int64_t at,
               struct rating *out, struct err *e)
{
	struct rating_row row;
	int rc = store_rating(s, userid, game, &row, e);

	*out = (struct rating){ .now = { GLICKO_RATING, GLICKO_DEVIATION, GLICKO_VOLATILITY } };
	if (rc <= 0)
		return rc;
	out->games = row.games;
	out->now.rating = (double)row.rating / 100;
	out->now.deviation = (double)row.deviation / 100;
	out->now.volatility = (double)row.volatility / 1e9;
	out->now.deviation = glicko_after_pause(&out->now,
	                                        (double)(at - row.ended) / RATING_PERIOD);
	return 0;
}

int rating_list(struct store *s, struct arena *a, const struct game_doc *d, const char **out,
                struct err *e)
{
	bool computer = false;
	int rc = 0;

	*out = game_doc_list(d);
	for (size_t i = 0; !d->list && rc == 0 && i < 2; i++) {
		struct player_doc p;

		/* A player who can't be read is no computer; the game counts all the same. */
		rc = err_found(store_player_get(s, a, d->players[i], &p, e), ERR_DAMAGED, e);
		computer |= rc == 1 && p.level;
		rc = rc < 0 ? rc : 0;
	}
	if (computer)
		*out = arena_printf(a, "%s" GAME_COMPUTERS, d->game);
	return rc;
}

const char *rating_list_title(struct arena *a, const char *list)
{
	size_t n = strcspn(list, " ");

	return list[n] ? arena_printf(a, "%s,%s", rules_title(arena_strndup(a, list, n)), list + n)
	               : rules_title(list);
}

bool rating_counts(const struct game_doc *d)
{
	return d->rated && d->state == GAME_FINISHED && d->ply >= 2 && d->players[0] &&
	       d->players[1] && strcasecmp(d->players[0], d->players[1]) != 0;
}

double rating_score(const struct game_doc *d, uint8_t seat)
{
	double white = strcmp(d->result, "1-0") == 0 ? 1 : strcmp(d->result, "0-1") == 0 ? 0 : 0.5;

	return seat == SEAT_WHITE ? white : 1 - white;
}

struct glicko rating_before(const struct game_rating *r)
{
	return (struct glicko){ (double)r->before / 100, (double)r->before_deviation / 100,
		                (double)r->before_volatility / 1e9 };
}

void rating_set_before(struct game_rating *r, const struct glicko *g)
{
	r->before = llround(g->rating * 100);
	r->before_deviation = llround(g->deviation * 100);
	r->before_volatility = llround(g->volatility * 1e9);
}

static int by_board(const void *a, const void *b)
{
	const struct rated_game *s = a, *t = b;

	return s->board < t->board ? -1 : s->board > t->board;
}

void rating_set_after(struct game_rating *r, struct rated_game *games, size_t n)
{
	struct glicko_game list[RATING_RUN_MAX + 1];

	/* Sums of floating point numbers depend on their order. */
	qsort(games, n, sizeof *games, by_board);
	for (size_t i = 0; i < n; i++)
		list[i] = games[i].game;
	/* The deviation has grown by the pause already: no periods. */
	struct glicko after = glicko_update(rating_before(r), list, n, 0);
	r->rating = llround(after.rating * 100);
	r->deviation = llround(after.deviation * 100);
	r->volatility = llround(after.volatility * 1e9);
}

/* A player's rating before a game. */
struct standing {
	struct game_rating last; /* of the player's last rated game; games is 0: there is none */
	int64_t board, ended;    /* that game */
	size_t with_count;       /* games that the same run rated before it */
	int64_t with[RATING_RUN_MAX];
};

static void read_with(const char *text, struct standing *s)
{
	char *end;

	for (; text && *text && s->with_count < RATING_RUN_MAX; text = end + (*end == ' ')) {
		s->with[s->with_count] = strtoll(text, &end, 10);
		if (end == text)
			return;
		s->with_count++;
	}
}

static int find_standing(struct store *s, struct arena *a, const char *userid, const char *game,
                         struct standing *out, struct err *e)
{
	struct rating_row row;
	struct game_doc d;
	int rc = store_rating(s, userid, game, &row, e);

	*out = (struct standing){ 0 };
	if (rc <= 0)
		return rc;
	rc = store_game_get(s, a, row.board, &d, e);
	if (rc < 0)
		return rc;
	out->board = row.board;
	out->ended = row.ended;
	if (d.rating_count) {
		out->last = d.ratings[strcasecmp(d.players[0], userid) == 0 ? 0 : 1];
		read_with(out->last.with, out);
	} else { /* a moderator annulled it, and the old rating stands for a while */
		out->last = (struct game_rating){ .rating = row.rating,
			                          .deviation = row.deviation,
			                          .volatility = row.volatility,
			                          .games = row.games };
	}
	return 0;
}

/* The run that rates the game: no earlier than the players' last ones, so that the order of
 * runs is that of the games. */
static int64_t find_run(const struct standing s[2], int64_t run)
{
	for (int i = 0; i < 2; i++) {
		const struct game_rating *r = &s[i].last;
		int64_t least = !r->games ? 0
		                : !r->run ? s[i].ended + 1
		                          : r->run + (s[i].with_count + 1 >= RATING_RUN_MAX);

		run = run < least ? least : run;
	}
	return run;
}

/* Sets what the player had before the run. */
static void begin_rating(const struct standing *s, int64_t run, struct game_rating *r)
{
	const struct game_rating *l = &s->last;
	struct glicko g = { GLICKO_RATING, GLICKO_DEVIATION, GLICKO_VOLATILITY };

	r->run = run;
	r->games = l->games + 1;
	if (l->games && l->run == run) {
		r->before = l->before;
		r->before_deviation = l->before_deviation;
		r->before_volatility = l->before_volatility;
		return;
	}
	if (l->games) {
		g = (struct glicko){ (double)l->rating / 100, (double)l->deviation / 100,
			             (double)l->volatility / 1e9 };
		g.deviation = glicko_after_pause(&g, (double)(run - (l->run ? l->run : s->ended)) /
		                                             RATING_PERIOD);
	}
	rating_set_before(r, &g);
}

/* Adds the games that the same run has rated for the player already. */
static int add_run(struct store *s, struct arena *a, const struct standing *st, const char *userid,
                   struct game_rating *r, struct rated_game *games, size_t *n, struct err *e)
{
	struct str text = STR_LOCAL(1000);

	if (!st->last.games || st->last.run != r->run)
		return 0;
	for (size_t i = 0; i <= st->with_count; i++) {
		struct game_doc d;
		int64_t board = i < st->with_count ? st->with[i] : st->board;
		int rc = store_game_get(s, a, board, &d, e);

		if (rc < 0)
			return rc;
		if (!d.rating_count)
			continue;
		uint8_t seat = strcasecmp(d.players[0], userid) == 0 ? SEAT_WHITE : SEAT_BLACK;
		games[(*n)++] = (struct rated_game){
			board, { rating_before(&d.ratings[!seat]), rating_score(&d, seat) }
		};
	}
	qsort(games, *n, sizeof *games, by_board);
	for (size_t i = 0; i < *n; i++)
		str_addf(&text, "%s%lld", i ? " " : "", (long long)games[i].board);
	r->with = arena_strdup(a, text.data);
	return 0;
}

/* The time under which this run rates games: its beginning, or if an earlier run has that
 * already, as with a clock that stands still, the next second that none has. */
static int begin_run(struct site *site, int64_t now, struct err *e)
{
	int64_t last = 0, start = site->run.started ? site->run.started : now;
	int rc = site->run.rated ? 0 : store_value(site->store, RATING_RUN, &last, e);

	if (rc < 0)
		return rc;
	if (!site->run.rated)
		site->run.rated = start > last ? start : last + 1;
	/* Again for each game: a mail that fails takes back what it stored. */
	return store_value_set(site->store, RATING_RUN, site->run.rated, e);
}

int rating_apply(struct site *site, struct match *m, int64_t now, struct err *e)
{
	struct store *s = site->store;
	struct game_doc *d = &m->doc;
	struct standing st[2] = { 0 };
	struct rated_game games[RATING_RUN_MAX + 1];

	if (d->rating_count || !rating_counts(d))
		return 0;
	const char *list;
	int rc = rating_list(s, m->arena, d, &list, e);
	if (rc == 0)
		rc = begin_run(site, now, e);
	for (uint8_t i = 0; rc == 0 && i < 2; i++)
		rc = find_standing(s, m->arena, d->players[i], list, &st[i], e);
	if (rc < 0)
		return rc;
	struct game_rating *r = arena_alloc(m->arena, 2 * sizeof *r);
	int64_t run = find_run(st, site->run.rated);
	for (uint8_t i = 0; i < 2; i++) {
		r[i].seat = i;
		begin_rating(&st[i], run, &r[i]);
	}
	for (uint8_t i = 0; rc == 0 && i < 2; i++) {
		size_t n = 0;

		rc = add_run(s, m->arena, &st[i], d->players[i], &r[i], games, &n, e);
		games[n++] = (struct rated_game){ d->board,
			                          { rating_before(&r[!i]), rating_score(d, i) } };
		rating_set_after(&r[i], games, n);
	}
	if (rc < 0)
		return rc;
	d->ratings = r;
	d->list = strcmp(list, d->game) == 0 ? NULL : list;
	d->rating_count = 2;
	return 0;
}

void rating_write(double rating, double deviation, struct str *out)
{
	str_addf(out, "%.0f%s", rating, deviation >= RATING_PROVISIONAL ? "?" : "");
}

void rating_write_change(const struct match *m, struct str *out)
{
	const struct game_doc *d = &m->doc;

	for (size_t i = 0; i < d->rating_count; i++) {
		const struct game_rating *r = &d->ratings[i];
		const struct rating_then then = game_rating_then(r);

		str_addf(out, "%s%s %.0f -> ", i ? ", " : "", d->players[r->seat],
		         (double)then.before / 100);
		rating_write((double)then.rating / 100, (double)then.deviation / 100, out);
	}
}
