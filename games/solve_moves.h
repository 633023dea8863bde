/* The losing family's moves as the solver wants them: successors with their
 * keys, and a first guess of each one's numbers. */
#ifndef GAMES_SOLVE_MOVES_H
#define GAMES_SOLVE_MOVES_H

#include "games/losing.h"
#include "games/solve_table.h"

struct child {
	struct key key;
	struct numbers now;
	struct move move;
	bool reversible; /* earlier positions can come back after it */
};

/* The straight code of one kind of variant, by the side to move. */
struct shape {
	unsigned (*count[2])(const struct losing *row, const struct pos *p);
	void (*list[2])(const struct losing *row, const struct pos *p, struct gen_list *l);
};

/* Room for the successors of any position. */
#define CHILDREN_MAX GEN_MAX

const struct shape *shape_of(const struct losing *row);
void child_play(const struct losing *row, struct pos *p, const struct move *m);
/* What a move leads to.  .now is left as it was. */
void child_make(const struct losing *row, const struct pos *p, enum color attacker,
                const struct move *m, struct child *out);
/* The successors of a running position. */
unsigned children_list(const struct shape *shape, const struct losing *row, const struct pos *p,
                       enum color attacker, struct child *out);
/* The result of a finished position, or a guess from its mobility. */
struct numbers numbers_guess(const struct shape *shape, const struct game *g, const struct pos *p,
                             enum color attacker);

#endif
