/* The table of positions that a search has seen. */
#pragma once

#include <stddef.h>

#include "games/attacks.h"

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

#define NO_INDEX UINT16_MAX

struct table_entry {
	uint64_t key;
	uint16_t index; /* of the best turn in its list, or NO_INDEX */
	int16_t score;
	int16_t eval;
	uint8_t depth;
	uint8_t bound; /* enum bound; BOUND_NONE: empty */
};

/* An entry that is replaced by depth, and one that is always replaced, side by side. */
struct position_table {
	struct table_entry *v;
	size_t pairs; /* a power of two in use now */
	size_t room;
};

GAMES_INLINE struct table_entry *table_pair(const struct position_table *t, uint64_t key)
{
	return t->v + 2 * (key >> 16 & (t->pairs - 1));
}

/* Empties the table, and uses no more of it than this many bytes. */
void table_reset(struct position_table *t, uint64_t bytes);
/* The entry of this key, or NULL. */
const struct table_entry *table_get(const struct position_table *t, uint64_t key);
void table_put(struct position_table *t, const struct table_entry *entry);
