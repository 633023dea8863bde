/* The ratings of players: Glicko-2, one rating for each kind of game.  They are
 * computed when a rated game ends, in the order of the mails that ended the games;
 * so a run that was killed and is repeated computes the same.  The new ratings are
 * written into the game's document and never computed again. */
#ifndef PBM_REQUEST_RATING_H
#define PBM_REQUEST_RATING_H

#include <stdbool.h>

#include "pbm/record/glicko.h"
#include "pbm/record/match.h"
#include "pbm/request/request.h"

#define RATING_PERIOD (5 * 86400) /* seconds; see glicko_update() */
#define RATING_PROVISIONAL 110.0  /* a rating is provisional from this deviation on */

struct rating {
	struct glicko now; /* the deviation has grown since the last game */
	int64_t games;     /* rated games; 0: the values are a newcomer's */
};

/* A player's rating in one kind of game at the time at. */
int rating_get(struct store *s, const char *userid, const char *game, int64_t at,
               struct rating *out, struct err *e);

/* Writes both new ratings into the document of a game that has ended.  Does nothing
 * when the game doesn't count, or the document has them already. */
int rating_apply(struct store *s, struct match *m, struct err *e);

/* Appends "alice 1500 -> 1662?, bob 1500 -> 1338?"; nothing for a game that did not
 * count. */
void rating_write_change(const struct match *m, struct str *out);

/* Appends "1662", or "1662?" when the rating is provisional. */
void rating_write(double rating, double deviation, struct str *out);

#endif
