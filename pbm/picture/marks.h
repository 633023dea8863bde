/* The marks in the drawing of a position, apart from it so that a text beside it can say it,
 * too. */
#pragma once

#include "games/game.h"

struct marks {
	uint64_t last;  /* squares of the last turn */
	uint64_t check; /* kings in check */
	uint64_t owed;  /* pawns that wait for their promotion */
	uint64_t gone;  /* empty squares whose man the last turn removed */
};

/* last: the turn that led to the position, and fx what it did; NULL: none. */
struct marks marks_find(const struct game *g, const struct pos *p, const struct move *last,
                        const struct effects *fx);
