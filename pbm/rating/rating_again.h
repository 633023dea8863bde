/* Ratings after an act of a moderator, computed again from the changed game's end on for every
 * player whom it reaches.  The act only notes that; the run computes after the mails, in steps.
 * Until the last step each player's old rating is valid.  A run that is cut begins again at the
 * same games, so that it ends with the same ratings, which are those of
 * pbm/rating/rating_rebuild.h. */
#pragma once

#include <stdbool.h>

#include "pbm/base/err.h"
#include "pbm/record/match.h"
#include "store/store.h"

#define RATING_AGAIN_STEP 500 /* documents in one transaction */

/* In the transaction of the act: the ratings of that kind of game are to be computed again
 * from that game on.  was: the game as it was rated. */
int rating_again_want(struct store *s, const struct game_doc *was, struct err *e);

/* Is that so for the kind of game, and not done yet? */
bool rating_again_is_wanted(struct store *s, const char *game);

#define RATING_AGAIN_QUICK 500 /* games that a short run computes */

/* Does what is wanted; outside a transaction.  quick: leaves what needs many games to another run. */
int rating_again_run(struct store *s, bool quick, struct err *e);

/* It was done, for that kind of games; for all of them. */
int rating_again_done(struct store *s, const char *game, struct err *e);
int rating_again_done_all(struct store *s, struct err *e);

/* The game has got another result: its own document shows at once how it changes the two
 * ratings.  The players' ratings follow later. */
int rating_again_show(struct store *s, struct match *m, struct err *e);
