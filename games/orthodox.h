/* The generator with its switches as run-time values, and the checks of a
 * set-up position, for everything that need not be fast. */
#pragma once

#include "games/gen.h"

#define ORTHODOX_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* Bits over enum piece_type for .promotions of struct gen_list. */
#define PROMOTE_QRBN (1u << QUEEN | 1u << ROOK | 1u << BISHOP | 1u << KNIGHT)

/* See gen_list_moves() and gen_apply(); the colour is the side to move. */
void orthodox_list(const struct pos *p, unsigned switches, bool royal, unsigned promotions,
                   struct gen_list *out);
void orthodox_apply(struct pos *p, const struct move *m, unsigned switches, struct effects *fx);
void orthodox_to_moves(const struct gen_list *l, struct moves *out);

/* No man, nothing captured or removed. */
void effects_clear(struct effects *fx);

/* A move that moves nothing, made of NO_SQUARE and NO_PIECE. */
extern const struct move move_none;

/* Refuses pawns on the first and last rank, castling rights without switches
 * GEN_CASTLE or without king and rook at home; drops en passant rights under
 * GEN_NO_EP.  Squares in pardoned (a set) may hold pawns. */
int orthodox_check(struct pos *p, unsigned switches, uint64_t pardoned, struct err *e);
/* All that chess asks of a position: orthodox_check(), a king each, and no check to the side that
 * has just moved. */
int orthodox_check_chess(struct pos *p, unsigned switches, struct err *e);
/* Refuses a side with no king or several. */
int orthodox_check_kings(const struct pos *p, struct err *e);
/* Refuses kings as orthodox_check_kings() does, but lets the side to move have
 * none: in some games it has lost by that. */
int orthodox_check_kings_left(const struct pos *p, struct err *e);
/* Refuses a position where the side not to move stands in check. */
int orthodox_check_quiet(const struct pos *p, struct err *e);
/* The refusal itself, for games with a check of their own kind. */
int orthodox_refuse_check(const struct pos *p, struct err *e);
