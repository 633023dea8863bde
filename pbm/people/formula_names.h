/* The meaning of the names in a player's formula, for one offer from one player to another: the
 * sender's rating, the offer's days, its game. pbm/text/formula.h has the language. */
#pragma once

#include "pbm/request/request.h"

/* Is the formula right?  ERR_BAD: it is not; *why is a sentence about the mistake, and *shown
 * (in the arena, MAY be NULL) is the formula with a mark under the place. */
int formula_check(struct arena *a, const char *formula, const char **shown, struct err *why);

/* Does an offer (d) from one player to another pass a formula of the other?  1: it does; 0: it
 * does not, and *failed is the part that fails, as its owner wrote it; <0: the store failed.  A
 * wrong formula, which an earlier program may have accepted, lets everything pass. */
int formula_passes(struct request *q, const char *formula, const struct game_doc *d,
                   const struct player_doc *from, const char *to, const char **failed,
                   struct err *e);
