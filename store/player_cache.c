#include "store/player_cache.h"

#include <stdio.h>
#include <string.h>

const struct player_doc *player_cache_player(const struct player_cache *k, const char *key)
{
	for (size_t i = 0; i < k->count; i++)
		if (strcmp(k->player[i].key, key) == 0)
			return &k->player[i].doc;
	return NULL;
}

void player_cache_keep(struct player_cache *k, const char *key, const struct player_doc *p)
{
	if (k->count == PLAYER_CACHE_SIZE)
		player_cache_forget(k);
	struct player_cache_player *new = &k->player[k->count++];

	snprintf(new->key, sizeof new->key, "%s", key);
	player_doc_copy(&k->arena, p, &new->doc);
}

void player_cache_forget(struct player_cache *k)
{
	arena_release(&k->arena);
	k->count = 0;
}
