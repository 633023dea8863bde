/* PGN, the field's notation for whole games (the 1994 standard).  Beyond it:
 * Variant as on lichess and FICS, a tag for a game's options (AvalancheMode
 * "reversed"), SetUp and FEN for every game but orthodox chess from its array,
 * {removed be3 pg6} behind a turn whose rules took men off the board, and turns
 * in parts joined by a comma (e4,c6). */
#ifndef PBM_RECORD_PGN_H
#define PBM_RECORD_PGN_H

#include "pbm/record/match.h"

/* The game as PGN, ending in a newline.  What it writes pgn_read() reads back
 * to the same game. */
void pgn_write(const struct match *m, const char *site_name, struct str *out);

/* The next game at *text, which moves on.  Tags that are not known are passed
 * over, and so are comments, variations and annotations.  1: *m holds the game,
 * replayed; 0: no game left; ERR_BAD: the text names the ply that can't be
 * played, or the tag that can't be used. */
int pgn_read(struct arena *a, const char **text, struct match *m, struct err *e);

#endif
