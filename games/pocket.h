/* Men in hand, in games with RULES_DROPS: a side may put one on the board instead of moving.
 * struct pos .own has the number of each side's pawns, knights, bishops, rooks and queens, and
 * then the set of squares whose men were pawns. */
#pragma once

#include <string.h>

#include "games/rules.h"

#define POCKET_TYPES KING /* pawn to queen */

static inline uint8_t *pocket_of(struct pos *p, enum color c)
{
	return p->own + POCKET_TYPES * c;
}

/* 0 in games without drops. */
static inline unsigned pocket_count(const struct game *g, const struct pos *p, enum color c,
                                    unsigned type)
{
	return g->rules->flags & RULES_DROPS && type < POCKET_TYPES
	               ? p->own[POCKET_TYPES * c + type]
	               : 0;
}

static inline bool pocket_is_empty(const struct game *g, const struct pos *p, enum color c)
{
	unsigned n = 0;

	for (unsigned type = PAWN; type < POCKET_TYPES; type++)
		n += pocket_count(g, p, c, type);
	return n == 0;
}

static inline uint64_t pocket_promoted(const struct pos *p)
{
	uint64_t set;

	memcpy(&set, p->own + 2 * POCKET_TYPES, sizeof set);
	return set;
}

static inline void pocket_set_promoted(struct pos *p, uint64_t set)
{
	memcpy(p->own + 2 * POCKET_TYPES, &set, sizeof set);
}

/* Does the move put a man from the pocket on the board?  It "goes" from its square to the same
 * one, and the first byte of its own is the man. */
static inline bool move_is_drop(const struct move *m)
{
	return m->from == m->to && m->from != NO_SQUARE;
}
