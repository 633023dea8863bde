/* Proves positions of the losing family won or lost, by depth-first
 * proof-number search (df-pn; Nagai 2002, with the 1+epsilon thresholds of
 * Pawlewicz and Lew 2007).  A proof holds against every reply, draws do not
 * count as wins, and repeating a position on the way wins nothing.  The clocks
 * (50 and 75 moves) are left out of account, and so are positions before the one
 * asked about, but for those given to solve_avoid().  Takes no heap: the caller lends the memory. */
#pragma once

#include "games/game.h"

/* The result for the side to move. */
enum solve_value { SOLVE_UNKNOWN, SOLVE_WIN, SOLVE_LOSS };

#define SOLVE_DEPTH 1024             /* plies looked ahead, and of a line */
#define SOLVE_MEMORY_MIN (12u << 17) /* bytes */

struct solve; /* lives in the memory lent */

struct solve_progress {
	uint64_t nodes;          /* expanded in this run so far */
	enum color attacker;     /* whose win is being tried */
	const struct move *line; /* from the root to where the search is */
	size_t n;
};
/* Called every few thousand nodes; false stops the search. */
typedef bool solve_report(void *ctx, const struct solve_progress *now);

struct solve_limits {
	uint64_t nodes;       /* 0: none */
	solve_report *report; /* may be NULL */
	void *ctx;
};

struct solve_result {
	enum solve_value value;
	bool settled; /* of an unknown value: neither side can force a win */
	uint64_t nodes;
	uint32_t open;                 /* of an unknown value: so many positions at least are still
	                                * to be proved, until the side to move wins */
	size_t n;                      /* plies of line; 0 of an unknown value */
	bool complete;                 /* line reaches the end of the game */
	struct move line[SOLVE_DEPTH]; /* the loser resists as long as the proof knows */
};

/* A solver in `size` zeroed bytes of memory, aligned as the heap does; all but
 * some 1.5 MiB become the table.  What it proves it keeps for later runs; g must
 * live as long.  NULL: ERR_BAD for a game of another family, ERR_LIMIT for too
 * little memory. */
struct solve *solve_init(const struct game *g, void *memory, size_t size, struct err *e);

/* Forgets all proofs, and keeps no more than so many positions from now on: a later run
 * gives what it would give after solve_init(). */
void solve_forget(struct solve *s, uint64_t positions);

#define SOLVE_AVOID_MAX 64

/* Positions that nobody wins once they come about, because the other side may
 * claim a draw there. */
struct solve_avoid {
	size_t n;
	uint64_t keys[2][SOLVE_AVOID_MAX]; /* by attacker */
};

/* No proof goes through these positions.  Fills *room, which must live as long
 * as s.  Call it before the first run, or after solve_forget().  false: more than SOLVE_AVOID_MAX. */
bool solve_avoid(struct solve *s, const struct pos *const *positions, size_t n,
                 struct solve_avoid *room);

/* Searches p for either side's win.  The nodes for writing the line, of which
 * the table may have dropped parts, come on top of the limit: a quarter of the
 * search's and SOLVE_LINE_NODES at most. */
void solve_run(struct solve *s, const struct pos *p, const struct solve_limits *limits,
               struct solve_result *out);
#define SOLVE_LINE_NODES 100000

/* Walks the whole proof of a win or loss that solve_run() found for p, over
 * every reply, with the generator and the results the server itself plays by,
 * and proves again what the table has dropped.  True when each line of play
 * ends in the result claimed; false also when the limits came first.
 * *positions (may be NULL) is how many different ones the walk has shown. */
bool solve_verify(struct solve *s, const struct pos *p, enum solve_value value,
                  const struct solve_limits *limits, uint64_t *positions);
