/* Positions as FEN text, for boards of up to eight files.  Reading checks the
 * form only; a game's check_position() decides whether it allows the position. */
#pragma once

#include "games/rules.h"

/* Reads the board, the side to move and, where they are not left out, castling, en passant,
 * half-move clock and move number.  An en passant square that no pawn can use is dropped.  A
 * variant's own field may stand after the en passant square or at the end.  ERR_BAD with a
 * sentence that names the mistake. */
int fen_read(const struct game *g, const char *text, struct pos *out, struct err *e);

/* All six fields, and the variant's own where it has one. */
void fen_write(const struct game *g, const struct pos *p, struct str *out);
