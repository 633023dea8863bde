/* The ratings of players: Glicko-2, one rating for each kind of game.  They are
 * computed when a rated game ends.  Games that end in the same run are one rating period:
 * each counts with the ratings that both players had before the run, so that what a player
 * has after the run does not depend on the order of its mails.  The new ratings are written
 * into the game's document; pbm/rating/rating_rebuild.h can compute all of them again. */
#pragma once

#include <stdbool.h>

#include "pbm/rating/glicko.h"
#include "pbm/record/match.h"

struct site;
struct store;

#define RATING_PERIOD (5 * 86400) /* seconds; see glicko_update() */
#define RATING_PROVISIONAL 110.0  /* a rating is provisional from this deviation on */

struct rating {
	struct glicko now; /* the deviation has grown since the last game */
	int64_t games;     /* rated games; 0: the values are a newcomer's */
};

/* A player's rating in one kind of game at the time at. */
int rating_get(struct store *s, const char *userid, const char *game, int64_t at,
               struct rating *out, struct err *e);

/* The list in which a game of these players counts (game_doc_list()), which is another one when
 * the server itself plays for one of them. */
int rating_list(struct store *s, struct arena *a, const struct game_doc *d, const char **out,
                struct err *e);
/* "Suicide", "Suicide, computers" */
const char *rating_list_title(struct arena *a, const char *list);

/* Writes both new ratings into the document of a game that has ended.  Does nothing when the
 * game doesn't count, or the document has them already. */
int rating_apply(struct site *site, struct match *m, int64_t now, struct err *e);

/* Limits that the computation has in common with a rebuild. */
#define RATING_RUN_MAX 60 /* games of one player that count as one run */

/* A game counts when it is rated, has two players and a result, and both have moved. */
bool rating_counts(const struct game_doc *d);
/* The score of a seat: 1, 0.5 or 0. */
double rating_score(const struct game_doc *d, uint8_t seat);

/* Rounds what the player has before the run into the entry; and reads it from there. */
void rating_set_before(struct game_rating *r, const struct glicko *g);
struct glicko rating_before(const struct game_rating *r);

/* One of a player's games of a run: the opponent before the run, and the score. */
struct rated_game {
	int64_t board;
	struct glicko_game game;
};
/* Sets what the player has after these games, which are sorted; n <= RATING_RUN_MAX + 1. */
void rating_set_after(struct game_rating *r, struct rated_game *games, size_t n);

/* Appends "alice 1500 -> 1662?, bob 1500 -> 1338?"; nothing for a game that did not
 * count. */
void rating_write_change(const struct match *m, struct str *out);

/* Appends "1662", or "1662?" when the rating is provisional. */
void rating_write(double rating, double deviation, struct str *out);
