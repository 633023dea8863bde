/* Gives the games of an account another name: when a player is renamed or merged into another
 * one, or leaves without a name.  All of it goes into the open transaction. */
#pragma once

#include "pbm/request/request.h"
#include "store/store_questions.h"

/* The boards of a list. */
struct account_games {
	struct arena *a;
	size_t n, cap;
	int64_t *v;
};

/* For store_games(); arg: a struct account_games. */
game_row_fn account_games_add;

/* Finds a game in this list that `one` plays with the other player, or with another account that
 * has the other's mailbox; *board 0: there is none. */
int account_games_between(struct request *q, const char *one, const struct player_doc *other,
                          enum game_filter list, int64_t *board, struct err *e);

/* Writes all games of `from` with the name `to`, also in the sentences of their records; the
 * ratings in the index and the pages of the archive follow. */
int account_games_rename(struct request *q, const char *from, const char *to, struct err *e);
