/* Positions as HTML tables for mails: a cell a square, and in it a picture of the man,
 * which the mail carries itself (<img src="cid:…">).  Mail programs with old layout engines
 * show it like the others: only width, height and bgcolor count, no style sheet.  Nothing in
 * it can come from a player.  No I/O here. */
#pragma once

#include "pbm/picture/marks.h"

/* The colours of squares, by light and dark: "#f0d9b5". */
enum cells_color { CELLS_PLAIN, CELLS_LAST, CELLS_CHECK, CELLS_OWED, CELLS_COLORS };
extern const char *const cells_colors[CELLS_COLORS][2];

struct cells_look {
	enum color side; /* the side drawn below */
	unsigned pixels; /* of a square */
	bool pockets;    /* draw the men in hand beside their owner's side */
	/* By colour and type: Content-IDs of the pictures, and "white knight", which is read aloud,
	 * or shown without pictures; escaped for HTML. */
	const char *const (*men)[PIECE_TYPES], *const (*words)[PIECE_TYPES];
};

/* Appends the drawing of a position on a board of this size, 3 to 6 KB in lines of less than
 * 900 bytes. */
void cells_table(const struct pos *p, struct board_size size, const struct marks *marks,
                 const struct cells_look *look, struct str *out);
