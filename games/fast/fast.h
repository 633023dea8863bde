/* One text of a game's hot loop, compiled four times: for each side to move
 * and each flavour of attacks.  The text is a GAMES_INLINE function
 *
 *   uint64_t node(g, p, depth, color, path, next)
 *
 * whose colour and path are constants in each copy, and whose next is the copy
 * for the other side. */
#ifndef GAMES_FAST_FAST_H
#define GAMES_FAST_FAST_H

#include "games/attacks.h"

typedef uint64_t fast_perft(const struct game *g, const struct pos *p, int depth);

#define FAST_PERFT(name, node, color, path, next)                                                  \
	static uint64_t name(const struct game *g, const struct pos *p, int depth)                 \
	{                                                                                          \
		return node(g, p, depth, color, path, next);                                       \
	}

/* The copies name_white and name_black of one flavour; target is
 * ATTACKS_PEXT_TARGET for ATTACKS_PEXT, else empty. */
#define FAST_PAIR(name, node, path, target)                                                        \
	target static fast_perft name##_white, name##_black;                                       \
	target FAST_PERFT(name##_white, node, WHITE, path, name##_black) target FAST_PERFT(        \
		name##_black, node, BLACK, path, name##_white)

/* All four copies, and the table for a game's slot `fast`. */
#define FAST_RULES(table, node)                                                                    \
	FAST_PAIR(portable, node, ATTACKS_PORTABLE, )                                              \
	FAST_PAIR(pext, node, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)                                   \
	const struct rules_fast table[2] = {                                                       \
		{ .perft = { portable_white, portable_black } },                                   \
		{ .perft = { pext_white, pext_black } },                                           \
	}

#endif
