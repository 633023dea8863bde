/* Avalanche's turns in writing: a promotion owed, a move, a push, joined by
 * commas.  These functions are slots of struct rules: see there. */
#pragma once

#include "games/rules.h"

enum read_refusal avalanche_read_turn(const struct game *g, const struct pos *p,
                                      const struct moves *legal, const struct typed_turn *t,
                                      struct move *out, struct str *refusal);
/* "a1=Q,Kd7,e6" */
void avalanche_write_san(const struct game *g, const struct pos *p, const struct moves *legal,
                         const struct move *m, struct str *out);
/* "a1=q,e8d7,e7e6" */
void avalanche_write_uci(const struct game *g, const struct pos *p, const struct move *m,
                         struct str *out);
void avalanche_describe(const struct game *g, const struct pos *before, const struct move *m,
                        bool reader_is_mover, struct str *out);
uint64_t avalanche_marks(const struct game *g, const struct pos *p, const struct move *m);
void avalanche_remark(const struct game *g, const struct pos *p, struct str *out);
