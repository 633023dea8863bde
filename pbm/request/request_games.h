/* The games of a list as an array, for callers that look at few: store_games() has no limit. */
#pragma once

#include "pbm/request/request.h"
#include "store/store_questions.h"

struct game_list {
	size_t n, cap;
	struct game_row *v; /* in the order of store_games() */
};

/* Does the player play in it? */
bool game_row_has(const struct game_row *row, const char *userid);

/* At most so many games, in the request's arena.  After an error the list has those before it. */
int request_games(struct request *q, const char *userid, const char *game, enum game_filter f,
                  size_t most, struct game_list *out, struct err *e);
