#include "pbm/request/rating.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "store/store_ladder.h"

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

/* A game counts when it is rated, has two players and a result, and both have
 * moved. */
static bool counts(const struct match *m)
{
	const struct game_doc *d = &m->doc;

	return d->rated && d->state == GAME_FINISHED && m->ply >= 2 &&
	       strcasecmp(d->players[0], d->players[1]) != 0;
}

/* White's score: 1, 0.5 or 0. */
static double score_of(const char *result)
{
	return strcmp(result, "1-0") == 0 ? 1 : strcmp(result, "0-1") == 0 ? 0 : 0.5;
}

int rating_apply(struct store *s, struct match *m, struct err *e)
{
	struct game_doc *d = &m->doc;
	struct rating before[2];
	double white = score_of(d->result);

	if (d->rating_count || !counts(m))
		return 0;
	for (int i = 0; i < 2; i++) {
		int rc = rating_get(s, d->players[i], d->game, d->ended, &before[i], e);
		if (rc < 0)
			return rc;
	}
	d->ratings = arena_alloc(m->arena, 2 * sizeof *d->ratings);
	d->rating_count = 2;
	for (int i = 0; i < 2; i++) {
		struct glicko_game g = { before[!i].now, i == 0 ? white : 1 - white };
		/* The deviation has grown by the pause already: no periods. */
		struct glicko after = glicko_update(before[i].now, &g, 1, 0);

		d->ratings[i] = (struct game_rating){
			.seat = (uint8_t)i,
			.before = llround(before[i].now.rating * 100),
			.rating = llround(after.rating * 100),
			.deviation = llround(after.deviation * 100),
			.volatility = llround(after.volatility * 1e9),
			.games = before[i].games + 1,
		};
	}
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

		str_addf(out, "%s%s %.0f -> ", i ? ", " : "", d->players[r->seat],
		         (double)r->before / 100);
		rating_write((double)r->rating / 100, (double)r->deviation / 100, out);
	}
}
