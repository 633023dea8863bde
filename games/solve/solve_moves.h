/* Moves as the solver wants them: successors with their keys, and a first guess
 * of each one's numbers. */
#pragma once

#include "games/gen.h"
#include "games/solve/solve_table.h"

struct successor {
	struct key key;
	struct numbers now;
	struct move move;
	bool reversible; /* earlier positions can come back after it */
};

/* Room for the successors of any position. */
#define SUCCESSORS_MAX GEN_MAX

/* Makes a move; .now is left as it was. */
void successor_make(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                    enum color attacker, const struct move *m, struct successor *out);
/* The successors of a running position, by the game's fast list. */
unsigned successors_list(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                         enum color attacker, struct successor *out);
/* The result of a finished position, or a guess from its mobility. */
struct numbers numbers_guess(const struct game *g, const struct rules_fast *fast,
                             const struct pos *p, enum color attacker);
