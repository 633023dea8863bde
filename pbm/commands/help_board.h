/* Boards in help pages.  A page holds a position as a FEN; the reader gets the drawing that
 * board mails have. */
#ifndef PBM_COMMANDS_HELP_BOARD_H
#define PBM_COMMANDS_HELP_BOARD_H

#include "games/rules.h"
#include "pbm/base/str.h"

/* Appends the page with a drawing for each of these blocks:
 *
 *   ```board suicide -option      or, on the page of a game,   ```fen
 *   8/8/8/8/8/8/P7/8 w - - 0 1
 *   a4                            moves to play first, one a line; the last one is marked
 *   ```
 *
 * rules: the game of the page; NULL: a page about no game.  A block whose position or move
 * is wrong stays as it is. */
void help_draw_boards(const char *page, const struct rules *rules, struct str *out);

#endif
