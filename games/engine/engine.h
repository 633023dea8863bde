/* Chooses a turn, for every game that has struct rules_fast: principal variation search
 * with a table, and proof-number search first in the losing family.  Limits count nodes:
 * the same game, positions, limits and size of memory give the same result on every
 * machine.  No clock, no heap, no floating point. */
#pragma once

#include "games/game.h"
#include "games/solve/solve.h"

#define ENGINE_DEPTH 64               /* plies looked ahead, and of a line */
#define ENGINE_LINES 8                /* turns to choose from */
#define ENGINE_MEMORY_MIN (8u << 20)  /* bytes */
#define ENGINE_MEMORY_MAX (96u << 20) /* more is never used */
#define ENGINE_WIN 30000              /* the score of a position that is won */

struct engine; /* lives in the memory lent */

struct engine_line {
	int score;               /* hundredths of a pawn, for the side to move; a win in
	                          * n plies is ENGINE_WIN - n */
	enum solve_value proved; /* does the line win or lose against every reply? */
	unsigned length;         /* plies to that end, at most */
	size_t n;                /* at least 1 */
	struct move line[ENGINE_DEPTH];
};

struct engine_result {
	unsigned depth; /* plies that were searched in full */
	uint64_t nodes;
	size_t lines; /* 0: the game is over */
	struct engine_line line[ENGINE_LINES];
};

/* Called now and then; false stops the search. */
typedef bool engine_report(void *ctx, const struct engine_result *now);

struct engine_limits {
	uint64_t nodes;        /* of this turn, at least 1 */
	unsigned depth;        /* plies; 0: ENGINE_DEPTH */
	unsigned lines;        /* the best turns wanted; 0: one */
	uint32_t seed;         /* decides between turns that look the same */
	engine_report *report; /* may be NULL */
	void *ctx;
};

/* An engine in `size` zeroed bytes of memory, aligned as the heap does; g must live as
 * long.  NULL: ERR_BAD for a game that has no struct rules_fast, ERR_LIMIT for too
 * little memory. */
struct engine *engine_init(const struct game *g, void *memory, size_t size, struct err *e);

/* Thinks about the last of these n positions, those of the game so far. */
void engine_think(struct engine *e, const struct pos *const *positions, size_t n,
                  const struct engine_limits *limits, struct engine_result *out);
