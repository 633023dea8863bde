/* The 960 numbered starting positions: the pawns as in chess, and on the first rank the men with the bishops on squares
 * of two colours and the king between the rooks.  Numbers are Reinhard Scharnagl's, 0 to 959; 518
 * is the position of chess. */
#pragma once

#include "pbm/base/str.h"

#define NUMBERED_STARTS 960

/* Appends the FEN; rest: what follows the men, "w KQkq - 0 1". */
void numbered_start(unsigned number, const char *rest, struct str *out);
