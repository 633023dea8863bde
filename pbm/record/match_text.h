/* A game as text: players, moves, removed men. */
#ifndef PBM_RECORD_MATCH_TEXT_H
#define PBM_RECORD_MATCH_TEXT_H

#include "pbm/record/match.h"

/* Move list with numbers, one full move a line, in two columns; from..to are
 * plies ("5. Nf3,d6    Nc6,a3").  open adds a "?" for the ply to come. */
void match_write_moves(const struct match *m, size_t from, size_t to, bool open, struct str *out);

/* "alice-bob": White first. */
void match_write_players(const struct match *m, struct str *out);

/* The move number as in "12. exd4" or "12... exd4" of the ply that was played. */
void match_write_ply(const struct match *m, size_t ply, struct str *out);

/* The men that the rules took off the board in the ply with index i (0-based),
 * as "pb5 Nc3", nothing when there were none. */
void match_write_removed(const struct match *m, size_t i, struct str *out);

#endif
