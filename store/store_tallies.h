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
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"
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

/* The ways on after an opening of OPENING_LISTED plies or more.  No tallies are kept so deep:
 * the newest games of the opening's list are counted. */
#define OPENINGS_COUNTED 1000 /* games */

/* Games that began with the same turns. */
struct opening_games {
	struct opening_game {
		const char *opening; /* all its plies, OPENING_PLIES at most */
		char result;         /* of "1-0", "0-1" and "1/2-1/2" the third character */
	} * v;
	size_t n;
	size_t at; /* the bytes of those turns */
};

/* A turn that followed, and the games in which it did. */
struct opening_branch {
	struct games_tally tally; /* its key is the turn; won: by White */
	struct opening_games games;
};

/* The newest games that began with these turns, OPENING_LISTED or more.  *all: so many games with
 * the first OPENING_LISTED of them were looked at.  The lists are in the arena. */
int store_opening_games(struct store *s, struct arena *a, const char *game, const char *turns,
                        struct opening_games *out, size_t *all, struct err *e);

/* Divides the games by the turn that followed, the most frequent one first; returns how many turns
 * they are.  A game that ended there is in none. */
size_t store_opening_branches(struct arena *a, struct opening_games *g,
                              struct opening_branch **out);
