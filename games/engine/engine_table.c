#include "games/engine/engine_table.h"

#include <string.h>

void table_reset(struct position_table *t, uint64_t bytes)
{
	t->pairs = 1;
	while (2 * t->pairs <= t->room && 2 * t->pairs * sizeof *t->v < bytes)
		t->pairs *= 2;
	memset(t->v, 0, 2 * t->pairs * sizeof *t->v);
}

const struct table_entry *table_get(const struct position_table *t, uint64_t key)
{
	const struct table_entry *pair = table_pair(t, key);

	for (unsigned i = 0; i < 2; i++)
		if (pair[i].key == key && pair[i].bound != BOUND_NONE)
			return &pair[i];
	return NULL;
}

void table_put(struct position_table *t, const struct table_entry *entry)
{
	struct table_entry *pair = table_pair(t, entry->key);
	struct table_entry *at = &pair[1];

	if (pair[0].key == entry->key || entry->depth >= pair[0].depth)
		at = &pair[0];
	if (at == &pair[0] && pair[0].key != entry->key)
		pair[1] = pair[0];
	*at = *entry;
}
