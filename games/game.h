/* What the server, the command-line programs and tests call: games by name,
 * positions, turns as text, results, drawings.  Everything here works for
 * every game of the registry; nothing here does I/O or takes heap. */
#ifndef GAMES_GAME_H
#define GAMES_GAME_H

#include "games/rules.h"

/* By name or alias, case folded, or by a unique prefix of three letters or
 * more.  ERR_NOT_FOUND (nothing near) or ERR_CONFLICT (ambiguous), the text
 * naming the nearest games. */
const struct rules *rules_find(const char *word, size_t len, struct err *e);

/* Puts one option word ("-reversed", case folded) into g.  ERR_NOT_FOUND: this
 * game has no such option, the text lists those it has (callers may have
 * options of their own).  ERR_BAD: it contradicts one already chosen. */
int game_option(struct game *g, const char *word, size_t len, struct err *e);
/* Writes the chosen options, "-balanced -reversed", "" for none. */
void game_write_options(const struct game *g, struct str *out);

/* The starting position, from fen or (fen NULL) the game's own array.
 * ERR_BAD with the reason for a FEN this game cannot have. */
int game_setup(const struct game *g, const char *fen, struct pos *out, struct err *e);
void game_write_fen(const struct game *g, const struct pos *p, struct str *out);
/* The size of the board; squares beyond it are never used. */
struct board_size game_board(const struct game *g);

/* Same men, side, rights, en passant and waiting pawn; counters don't matter. */
bool game_same_position(const struct pos *a, const struct pos *b);

/* Legal turns, none when outcome (clock draws included) is not running. */
void game_legal(const struct game *g, const struct pos *p, struct moves *out);
/* m must come from game_legal() or game_read_move() on this position. */
void game_apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx);
/* Result as it stands, the automatic 75-move draw included. */
void game_outcome(const struct game *g, const struct pos *p, struct outcome *out);
/* "*", "1-0", "0-1", "1/2-1/2" */
const char *result_text(enum result r);
bool game_in_check(const struct game *g, const struct pos *p);
/* Turns at depth, finished positions having no successors; depth 0 is 1. */
uint64_t game_perft(const struct game *g, const struct pos *p, int depth);

/* Why a text could not be played, for callers that react differently. */
enum read_refusal {
	READ_OK,
	READ_UNREADABLE, /* not a move in any notation */
	READ_ILLEGAL,    /* a move, not legal here */
	READ_MUST_CAPTURE,
	READ_AMBIGUOUS,
	READ_NEEDS_PIECE, /* a promotion without its piece */
	READ_OVER         /* the position is finished */
};

/* Reads a turn as people write it: SAN, long algebraic, UCI, 0-0, with check
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
 * comma that is followed by another readable part: "Kb7,b5" is refused where
 * nothing can be pushed. */
int game_read_line(const struct game *g, const struct pos *p, const char *line, size_t len,
                   struct move *out, size_t *used, enum read_refusal *why, struct err *e);

/* Has the text (its first word, or first comma-joined group) the shape of a
 * move, legal or not?  Decides whether a line is a command or prose. */
bool game_looks_like_move(const char *text, size_t len);

/* SAN with the checks of the whole turn ("e4,c6", "Qg5X", "--"), and UCI
 * ("e2e4,c7c6", "a1=q,e8d7,e7e6", "0000"); p is the position before the turn. */
void game_write_san(const struct game *g, const struct pos *p, const struct move *m,
                    struct str *out);
void game_write_uci(const struct game *g, const struct pos *p, const struct move *m,
                    struct str *out);

/* In words, for the mail to the other side: "bishop f1-c4 takes a pawn, and
 * pushed your h-pawn to h6".  reader_is_mover chooses "the enemy's" for "your". */
void game_describe(const struct game *g, const struct pos *before, const struct move *m,
                   bool reader_is_mover, struct str *out);

/* Up to n legal turns whose SAN or UCI is nearest to what was typed, nearest
 * first; returns how many were written. */
size_t game_nearest(const struct game *g, const struct pos *p, const char *typed, size_t len,
                    struct move *out, size_t n);

/* True and a reason when m would lose at once by the mover's own doing. */
bool game_blunder(const struct game *g, const struct pos *p, const struct move *m, struct str *why);

/* The text diagram of a board mail, with coordinates, seen from viewer; last
 * may be NULL, else its squares are marked with stars. */
void game_draw(const struct game *g, const struct pos *p, enum color viewer,
               const struct move *last, struct str *out);

#endif
