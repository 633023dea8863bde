/* A player's prepared openings: lines of turns from the start of a kind of game.  The last turn
 * of a line is the player's own, so a line of an odd number of turns is for White.  When a game
 * begins they become moves ahead (ahead_tree.h), which play them, and drop them when the other
 * side leaves them. */
#pragma once

#include <stdbool.h>

#include "games/variants/registry.h"
#include "pbm/base/err.h"
#include "pbm/base/str.h"
#include "pbm/record/match.h"

#define BOOK_ROWS 100

/* Adds a line to *text, which is "" or what this function made: a row "suicide e3 b6 a4" for each
 * line.  Row numbers begin with 1.  ERR_BAD names the turn that can't be played; ERR_LIMIT;
 * ERR_CONFLICT: it is there already. */
int book_add(struct arena *a, const char **text, const struct rules *r, const char *turns,
             struct err *e);

/* Removes the row of that number, or with 0 all rows of the kind.  false: there is none. */
bool book_forget(struct arena *a, const char **text, const struct rules *r, unsigned row);

/* Appends the rows of the kind, or of all with NULL, numbered within each kind.  false: none. */
bool book_write(const char *text, const struct rules *r, struct str *out);

/* Makes the lines that fit the game that has just begun into the seat's moves ahead; with White,
 * the first turn waits for the next run.  Nothing happens in a game that does not begin as its
 * kind usually does. */
void book_prepare(struct match *m, uint8_t seat, const char *text, int64_t now);
