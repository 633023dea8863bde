/* The order in which turns are tried: those that probably refute first. */
#pragma once

#include "games/engine/engine_search.h"

/* Gives the n first turns of the frame's list their worth; best is the index of the turn
 * that the table has, or NO_INDEX. */
void order_value(struct engine_search *s, const struct pos *p, unsigned ply, unsigned n,
                 unsigned best, int depth);
/* Returns the index of the best turn of those that are left, and takes it. */
unsigned order_next(struct frame *f, unsigned left);
/* Remembers the quiet turn that refuted, and those that were tried before in vain. */
void order_learn(struct engine_search *s, const struct pos *p, unsigned ply, const struct move *m,
                 int depth, const struct move *vain, unsigned vain_n);
void order_forget(struct engine_search *s);
