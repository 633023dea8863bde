/* Turns as text: reading what people type, writing SAN and UCI.  Where a
 * game differs, its slots are called; nothing here knows a variant. */
#pragma once

#include "games/rules.h"

/* Reads a turn as people write it: SAN, long algebraic, UCI, the digits of ICCF, 0-0, with check
 * signs, annotations, e.p., spaces around commas.  Returns 0 and *out, or
 * ERR_BAD with a sentence for the player in *e ("You must capture. Your
 * captures: bxc3, Qxd7.", "Bc4 can mean the bishop or the b-pawn: write Bf1c4 or b3c4.",
 * "There is no knight that can go to f3.  Your knights can go to: …") and the
 * kind in *why (may be NULL). */
int game_read_move(const struct game *g, const struct pos *p, const char *text, size_t len,
                   struct move *out, enum read_refusal *why, struct err *e);

/* Reads the longest prefix of a line that is a legal turn, so that "Nf3, sorry
 * for the delay" and "e4 e5?" are understood: *used is the number of bytes the
 * turn took.  When nothing is legal, the refusal is the one of the most
 * move-like prefix, and *used its length.  A turn of parts is not cut at a
 * comma that is followed by another readable part. */
int game_read_line(const struct game *g, const struct pos *p, const char *line, size_t len,
                   struct move *out, size_t *used, enum read_refusal *why, struct err *e);

/* Is the whole text a move spelled in words or in pieces: "knight to f3", "e2 to e4",
 * "N g1 f3", "e takes d5", "e7 e8 queen", "castle kingside"?  Writes it as notation
 * ("Nf3", "e2e4"), without asking whether it is legal. */
bool game_spell_move(const char *text, size_t len, struct str *out);

/* Finds the only legal turn that fits "exd", "pawn takes c6" or "queen takes bishop on f6", which say
 * less than a move.  false: none fits, or several. */
bool game_guess_move(const struct game *g, const struct pos *p, const char *text, size_t len,
                     struct move *out);

/* Do the words speak of putting a man on the board: "drop a pawn on d3", "pawn@d3", "P*d3"?  Writes
 * the drop ("P@d3"), without asking whether it is legal. */
bool game_spell_drop(const char *text, size_t len, struct str *out);

/* Has the text (its first word, or first comma-joined group) the shape of a
 * move, legal or not?  Decides whether a line is a command or prose. */
bool game_looks_like_move(const char *text, size_t len);

/* SAN with the checks of the whole turn ("Nf3+", "Qg5X", "--"), and UCI ("g1f3",
 * "0000"); p is the position before the turn. */
void game_write_san(const struct game *g, const struct pos *p, const struct move *m,
                    struct str *out);
void game_write_uci(const struct game *g, const struct pos *p, const struct move *m,
                    struct str *out);

/* Have two turns of the position the same UCI? */
bool game_is_same_turn(const struct game *g, const struct pos *p, const struct move *a,
                       const struct move *b);

/* Up to n legal turns whose SAN or UCI is nearest to what was typed, nearest
 * first; returns how many were written. */
size_t game_nearest(const struct game *g, const struct pos *p, const char *typed, size_t len,
                    struct move *out, size_t n);
