/* Tallies of how groups of finished games ended, kept by triggers of the index, and past
 * ratings.  The lists of tallies, and their keys:
 *   kind                  suicide           all games of a kind; won: by White
 *   months:suicide        2026-12           those that ended in a month
 *   record:alice          suicide           alice's games of a kind; won: by her
 *   opponents:alice       bob               alice's games against bob
 *   white:alice           suicide e3 b5     alice's games with an opening of one turn each,
 *   black:alice                             in which she was White (Black)
 *   opening:suicide       e3                all games that begin so; won: by White
 *   opening:suicide e3 b5 Bxb5              the turns that followed these (up to four plies)
 * Userids are folded.  An opening is in SAN without signs of check; games that did not begin
 * as usual have none. */
#ifndef STORE_STORE_TALLIES_H
#define STORE_STORE_TALLIES_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct games_tally {
	const char *key;
	int64_t n, won, lost, drawn;
};
typedef int tally_fn(const struct games_tally *t, void *arg);

/* All numbers of *out are 0 when there is no such game; its key is NULL. */
int store_tally(struct store *s, const char *list, const char *key, struct games_tally *out,
                struct err *e);

/* The tallies of a list: those with most games first, at most limit. */
int store_tallies(struct store *s, const char *list, size_t limit, tally_fn *fn, void *arg,
                  struct err *e);

/* The ratings that a player had after rated games of a kind, newest first; in hundredths. */
struct past_rating {
	int64_t ended, board, rating;
};
typedef int rated_fn(const struct past_rating *r, void *arg);
int store_rated(struct store *s, const char *userid, const char *game, size_t limit, rated_fn *fn,
                void *arg, struct err *e);

#endif
