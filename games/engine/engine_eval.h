/* The worth of a position at a glance: men and squares, mobility, and what a game adds.
 * The weights are rows of data (eval_rows.c). */
#pragma once

#include "games/engine/eval_rows.h"
#include "games/gen.h"

/* A row made ready for a game. */
struct eval_table {
	const struct eval_row *row;
	bool friendly;
	bool pext;
	int32_t square[2][PIECE_TYPES][64]; /* a man there, by colour */
};

void eval_init(struct eval_table *t, const struct game *g);
/* For the side to move.  Men and squares alone, where these are beyond alpha or beta by
 * more than the row's .lazy. */
int eval(const struct eval_table *t, const struct pos *p, int alpha, int beta);
