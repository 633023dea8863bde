/* The parts of which SAN is written. */
#pragma once

#include "games/notation/notation_parse.h"

/* SAN of m without check signs, minimal among the question's moves. */
void notation_write_move(const struct question *q, const struct move *m, struct str *out);
/* The whole turn without check signs. */
void notation_write_turn(const struct game *g, const struct pos *p, const struct moves *legal,
                         const struct move *m, struct str *out);
/* From and to, "Ng1f3", with the piece's letter: never ambiguous. */
void notation_write_long(const struct move *m, struct str *out);
/* "e2e4", "e7e8q", "0000". */
void notation_write_plain(const struct move *m, struct str *out);
/* Does a rule take men off after this turn? */
bool notation_turn_removes(const struct game *g, const struct pos *p, const struct move *m);
