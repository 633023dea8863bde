/* A line of turns as players write it, for analysis and prepared openings. */
#pragma once

#include "games/game.h"
#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define TURN_LINE_MAX 40 /* turns of one line */

/* Plays the turns, which have blanks between them and perhaps move numbers, from the position p,
 * and writes them as SAN.  ERR_BAD names the first one that can't be played; ERR_LIMIT. */
int turn_line_read(struct arena *a, const struct game *g, const struct pos *p, const char *turns,
                   struct str *out, struct err *e);

/* The number of turns in len bytes of a line that was written so. */
size_t turn_line_count(const char *turns, size_t len);
