/* Ratings, as the last rated game of each player in each kind of game left them.
 * store_game_put() takes them from the document. */
#ifndef STORE_STORE_LADDER_H
#define STORE_STORE_LADDER_H

#include <stddef.h>
#include <stdint.h>

#include "store/document.h"
#include "store/store.h"

struct rating_row {
	const char *player; /* the folded userid */
	const char *game;
	int64_t board, rating, deviation, volatility, games, ended; /* see struct game_rating */
};
typedef int rating_row_fn(const struct rating_row *row, void *arg);

/* 1: *out is set, but its strings are NULL; 0: the player has no rating in this game. */
int store_rating(struct store *s, const char *userid, const char *game, struct rating_row *out,
                 struct err *e);
int store_ratings_of(struct store *s, const char *userid, rating_row_fn *fn, void *arg,
                     struct err *e);

/* For computing all ratings again: empties the index of ratings, and puts those of one
 * game's document into it.  The documents may come in any order. */
int store_ratings_clear(struct store *s, struct err *e);
/* ... or those of one player in one kind of game. */
int store_rating_drop(struct store *s, const char *userid, const char *game, struct err *e);
int store_ratings_put(struct store *s, const struct game_doc *g, struct err *e);

/* The ladder of a game: best first, without provisional ratings (those with 110
 * points of deviation and more). */
int store_ladder(struct store *s, const char *game, size_t limit, size_t offset, rating_row_fn *fn,
                 void *arg, struct err *e);
/* The provisional ratings of a game, best first. */
int store_ladder_provisional(struct store *s, const char *game, size_t limit, size_t offset,
                             rating_row_fn *fn, void *arg, struct err *e);
/* *above: how many players of the ladder have a better rating; *all: how many it has. */
int store_ladder_place(struct store *s, const char *game, int64_t rating, int64_t *above,
                       int64_t *all, struct err *e);

/* Deletes a player's ratings, also the past ones, because his games have another name now. */
int store_ratings_forget(struct store *s, const char *userid, struct err *e);

#endif
