/* Boards in help pages.  A page holds a position as a FEN; the reader gets the drawing that
 * board mails have. */
#pragma once

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

/* The position of such a block, and the turn that led to it. */
struct help_position {
	struct game game;
	struct pos pos;
	bool moved;
	struct move last; /* if moved */
	struct effects effects;
};

/* Reads a block from its opening fence up to the closing one; false when it is another block, or
 * wrong. */
bool help_read_position(const char *open, const char *close, const struct rules *rules,
                        struct help_position *out);

/* The closing fence of the block whose fence opens at open; NULL: there is none. */
const char *help_block_end(const char *open);
