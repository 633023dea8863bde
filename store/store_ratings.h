/* Ratings, as the last rated game of each player in each kind of game left them.
 * store_game_put() takes them from the document.  A list of ratings (game_doc_list())
 * is asked for by `game`, as a kind of game is. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store/document/document.h"
#include "store/store.h"
#include "store/store_questions.h"

/* The name of a value of store_marks.h, followed by a kind of game: it is not 0 while the ratings
 * of that kind are being computed again. */
#define STORE_RATING_AGAIN "clock-rating-again:"

/* Such kinds of games, and their values; fn may change values. */
int store_rating_again(struct store *s, int (*fn)(const char *game, int64_t since, void *arg),
                       void *arg, struct err *e);

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
int store_ratings_put(struct store *s, const struct game_doc *g, struct err *e);

/* Sets a player's row (the userid is folded), whatever it was; games 0: there is none. */
int store_rating_set(struct store *s, const struct rating_row *row, struct err *e);
/* Removes a game that is rated no more from the past ratings of its players. */
int store_rated_drop(struct store *s, const struct game_doc *was, struct err *e);
typedef int board_fn(int64_t board, void *arg);
/* The player's rated games of a kind that ended before that time, newest first. */
int store_rated_before(struct store *s, const char *player, const char *game, int64_t ended,
                       size_t limit, board_fn *fn, void *arg, struct err *e);
/* Lists players whose rating in the game comes from a board that is no finished game any more. */
int store_ratings_lost(struct store *s, const char *game, userid_fn *fn, void *arg, struct err *e);

/* The ladder of a game: best first, without provisional ratings (those with 110
 * points of deviation and more). */
int store_ranking(struct store *s, const char *game, size_t limit, size_t offset, rating_row_fn *fn,
                  void *arg, struct err *e);
/* The provisional ratings of a game, best first. */
int store_ranking_provisional(struct store *s, const char *game, size_t limit, size_t offset,
                              rating_row_fn *fn, void *arg, struct err *e);
/* *above: the number of players of the ladder with a better rating; *all: of all its players. */
int store_ranking_place(struct store *s, const char *game, int64_t rating, int64_t *above,
                        int64_t *all, struct err *e);

/* Deletes a player's ratings, also the past ones, because his games have another name now. */
int store_ratings_forget(struct store *s, const char *userid, struct err *e);
