#include "store/known.h"

#include <stdio.h>
#include <string.h>

const struct player_doc *known_player(const struct known *k, const char *key)
{
	for (size_t i = 0; i < k->count; i++)
		if (strcmp(k->player[i].key, key) == 0)
			return &k->player[i].doc;
	return NULL;
}

void known_keep(struct known *k, const char *key, const struct player_doc *p)
{
	if (k->count == KNOWN_PLAYERS)
		known_forget(k);
	struct known_player *new = &k->player[k->count++];

	snprintf(new->key, sizeof new->key, "%s", key);
	player_doc_copy(&k->arena, p, &new->doc);
}

void known_forget(struct known *k)
{
	arena_release(&k->arena);
	k->count = 0;
}
