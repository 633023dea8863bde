/* The functions of a game that the server, the command line and tests call:
 * options, positions, turns, results, drawings.  Everything here works for
 * every game; nothing here does I/O or takes heap.  Games by name:
 * games/variants/registry.h; turns as text: games/notation/notation.h. */
#pragma once

#include "games/rules.h"

/* Room for a position as FEN. */
#define GAME_FEN_MAX 256

/* Puts one option word ("-reversed", case folded) into g.  ERR_NOT_FOUND: this
 * game has no such option, the text lists those it has (callers may have
 * options of their own).  ERR_BAD: it contradicts one already chosen. */
int game_option(struct game *g, const char *word, size_t len, struct err *e);
/* Writes the chosen options, "-balanced -reversed", "" for none. */
void game_write_options(const struct game *g, struct str *out);
/* Writes the PGN Variant tag of this game and options, nothing for orthodox chess. */
void game_write_variant(const struct game *g, struct str *out);

/* Has the FEN one of this game's numbered starts?  *number MAY be NULL. */
bool game_is_numbered(const struct game *g, const char *fen, unsigned *number);

/* The starting position, from fen or (fen NULL) the game's own array.
 * ERR_BAD with the reason for a FEN this game cannot have. */
int game_setup(const struct game *g, const char *fen, struct pos *out, struct err *e);
void game_write_fen(const struct game *g, const struct pos *p, struct str *out);
/* Same men, side, rights, en passant and state of the variant; the counters
 * do not matter. */
bool game_same_position(const struct pos *a, const struct pos *b);

/* Legal turns, none when outcome (clock draws included) is not running. */
void game_legal(const struct game *g, const struct pos *p, struct moves *out);
/* The slots legal and outcome, or what stands for them: without the draw by clock. */
void game_turns(const struct game *g, const struct pos *p, struct moves *out);
void game_result(const struct game *g, const struct pos *p, struct outcome *out);
/* m must come from game_legal() or game_read_move() on this position. */
void game_apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx);
/* Writes the men in a side's pocket, "queen, 2 pawns"; nothing for an empty one, or for games
 * without. */
void game_write_pocket(const struct game *g, const struct pos *p, enum color c, struct str *out);
/* Is m a turn that does nothing? */
bool game_is_pass(const struct move *m);
/* Result as it stands, the automatic 75-move draw included. */
void game_outcome(const struct game *g, const struct pos *p, struct outcome *out);
/* "*", "1-0", "0-1", "1/2-1/2" */
const char *result_text(enum result r);
bool game_in_check(const struct game *g, const struct pos *p);
/* Turns at depth, finished positions having no successors; depth 0 is 1. */
uint64_t game_perft(const struct game *g, const struct pos *p, int depth);

/* In words, for the mail to the other side: "bishop f1-c4 takes a pawn, and
 * pushed your h-pawn to h6".  reader_is_mover chooses "the enemy's" for "your". */
void game_describe(const struct game *g, const struct pos *before, const struct move *m,
                   bool reader_is_mover, struct str *out);
/* Two parts of that sentence, for slots that write their own: the move of a man,
 * and "; removed: white pawn e4" for the men that a rule removed. */
void game_describe_move(const struct game *g, const struct pos *before, const struct move *m,
                        const struct effects *fx, struct str *out);
void game_describe_removed(const struct effects *fx, struct str *out);

/* True and a reason when m would lose at once by the mover's own doing. */
bool game_blunder(const struct game *g, const struct pos *p, const struct move *m, struct str *why);
/* A sentence about what the drawing of p does not show; writes nothing where
 * there is nothing to say. */
void game_remark(const struct game *g, const struct pos *p, struct str *out);
/* A sentence that says how to write one of these turns, or NULL: as a move. */
const char *game_how_to_answer(const struct game *g, const struct moves *legal);

/* The squares to mark in a drawing of p, after the turn m that led to p. */
uint64_t game_marks(const struct game *g, const struct pos *p, const struct move *m);
/* The text diagram of a board mail, with coordinates, seen from viewer; last
 * may be NULL, else its squares are marked with stars. */
void game_draw(const struct game *g, const struct pos *p, enum color viewer,
               const struct move *last, struct str *out);

enum draw_kind {
	DRAW_ASCII,
	DRAW_UNICODE,  /* a frame of lines */
	DRAW_FIGURINE, /* and figures in the place of letters */
	DRAW_PROSE     /* a list of the men, for people who can't see a drawing */
};
enum draw_size { DRAW_NORMAL, DRAW_SMALL, DRAW_LARGE };
struct draw_style {
	enum draw_kind kind;
	enum draw_size size; /* not of DRAW_PROSE */
};

/* The men as signs, in UTF-8: by colour and type. */
extern const char *const game_figures[2][PIECE_TYPES];

/* As game_draw(), in UTF-8, as a player wants it. */
void game_draw_in(const struct game *g, const struct pos *p, enum color viewer,
                  const struct move *last, struct draw_style style, struct str *out);

/* The game goes on. */
extern const struct outcome outcome_running;
/* c has won.  why is static text. */
struct outcome outcome_win(enum color c, const char *why);
struct outcome outcome_draw(const char *why);
/* Checkmate or stalemate, as in chess, of the side to move that has no move. */
struct outcome outcome_no_move(enum color to_move, bool in_check);
