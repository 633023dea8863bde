/* Tells what a rated game would do to the ratings of its players. */
#pragma once

#include "pbm/record/match.h"

struct store;

/* Appends a table for two players: their ratings in this kind of game, and, if rated, what
 * they would be after a win, a draw and a loss.  Explains a question mark. */
int rating_preview_write(struct store *store, int64_t at, const char *game, const char *const u[2],
                         bool rated, struct str *out, struct err *e);
