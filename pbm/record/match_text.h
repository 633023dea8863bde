/* A game as text: players, moves, removed men. */
#pragma once

#include "pbm/record/match.h"

/* The move of the ply with index i (from 0), as it was written when it was played. */
const char *match_san(const struct match *m, size_t i);

/* Any turn of position p, in the arena. */
const char *match_turn(struct arena *a, const struct match *m, const struct pos *p,
                       const struct move *mv);

/* Appends the moves from ply "from" to ply "to", two columns, one full move on each
 * line ("5. Nf3,d6    Nc6,a3").  open adds a "?" for the next ply. */
void match_write_moves(const struct match *m, size_t from, size_t to, bool open, struct str *out);

/* Appends "alice-bob", White first. */
void match_write_players(const struct match *m, struct str *out);

/* Appends the ply's move with its number: "12. exd4" or "12... exd4".  ply counts
 * from 1. */
void match_write_ply(const struct match *m, size_t ply, struct str *out);

/* Appends the last n of the turns that were played: "2 turns (from 7. Nf3 on)". */
#define MATCH_LAST_SIZE 120 /* bytes that it needs */
void match_write_last(const struct match *m, size_t n, struct str *out);

/* Appends the men that the rules removed in the ply with index i (from 0), as
 * "pb5 Nc3". */
void match_write_removed(const struct match *m, size_t i, struct str *out);
