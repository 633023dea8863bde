/* Ratings of players: Glicko-2, one a kind of game.  Reckoned when a rated game
 * ends, game by game in the order of the mails that ended them: so a run that
 * was cut and is repeated reckons the same.  What a game did is written into its
 * document; ratings are never reckoned a second time. */
#ifndef PBM_REQUEST_RATING_H
#define PBM_REQUEST_RATING_H

#include <stdbool.h>

#include "pbm/record/glicko.h"
#include "pbm/record/match.h"
#include "pbm/request/request.h"

#define RATING_PERIOD (5 * 86400) /* seconds; see glicko_update() */
#define RATING_PROVISIONAL 110.0  /* a deviation this great says little */

struct rating {
	struct glicko now; /* the pause since the last game taken into account */
	int64_t games;     /* 0: none, the values are a newcomer's */
};

/* A player's rating in a kind of game at time at. */
int rating_get(struct store *s, const char *userid, const char *game, int64_t at,
               struct rating *out, struct err *e);

/* Puts into m's document what its end does to both ratings.  Nothing when the
 * game doesn't count, or has been reckoned. */
int rating_apply(struct store *s, struct match *m, struct err *e);

/* "alice 1500 -> 1662?, bob 1500 -> 1338?", nothing for a game
 * that did not count. */
void rating_write_change(const struct match *m, struct str *out);

/* "1662", with a ? behind it when it is provisional. */
void rating_write(double rating, double deviation, struct str *out);

#endif
