/* PGN, the usual notation for whole games (the standard of 1994).  Additions: the
 * tag Variant as on lichess and FICS; a tag for a game's options (AvalancheMode
 * "reversed"); SetUp and FEN for every game but orthodox chess from its starting
 * position; {removed be3 pg6} after a turn in which the rules removed men; a comma
 * between the parts of a turn (e4,c6). */
#pragma once

#include "pbm/record/match.h"

/* Appends the game as PGN, with a newline at the end.  pgn_read() reads it back to
 * the same game. */
void pgn_write(const struct match *m, const char *site_name, struct str *out);

/* Reads the next game at *text and moves *text past it.  Unknown tags, comments, variations and
 * annotations are skipped. 1: *m holds the replayed game, with its source and the players' names as
 * they stand there; all of it happened on its date, or in second 0; 0: there is no further game; ERR_BAD:
 * the error names the illegal ply or the wrong tag. */
int pgn_read(struct arena *a, const char **text, struct match *m, struct err *e);
