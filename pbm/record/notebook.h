/* A player's own analysis of a game: lines of turns, each from a position of the game on.  They
 * are secrets of his seat (struct game_secret); nothing here tells anybody. */
#pragma once

#include <stdbool.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"
#include "pbm/record/match.h"

#define NOTEBOOK_ROWS 100

/* Adds a line that begins at the present position: turns with blanks between them, perhaps with
 * move numbers.  A line that the new one continues is replaced.  ERR_BAD names the first turn
 * that can't be played; ERR_LIMIT; ERR_CONFLICT: it is there already. */
int notebook_add(struct match *m, uint8_t seat, const char *turns, struct err *e);

/* Removes the row of that number, from 1; 0: all.  false: there is none. */
bool notebook_forget(struct match *m, uint8_t seat, unsigned row);

/* Removes the lines that begin after the present position: turns were taken back. */
void notebook_take_back(struct match *m, uint8_t seat);

/* Appends the lines as a tree: a numbered row for each; turns that it shares with the row above
 * are left out. */
void notebook_write(const struct match *m, uint8_t seat, struct str *out);
