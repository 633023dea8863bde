/* The players that the open transaction has read or written.  A mail needs the same two players
 * some thirty times: for the token, the rules of the account, languages, styles of boards.
 * Nobody else can change them during a transaction, so their files are read once. */
#pragma once

#include "store/document/document.h"
#include "store/document/keys.h"

#define PLAYER_CACHE_SIZE 32

/* Zero-initialised it is empty. */
struct player_cache {
	struct arena arena;
	size_t count;
	struct player_cache_player {
		char key[KEY_USERID_MAX + 1]; /* the folded userid */
		struct player_doc doc;
	} player[PLAYER_CACHE_SIZE];
};

/* NULL: not known. */
const struct player_doc *player_cache_player(const struct player_cache *k, const char *key);

/* Keeps a copy; when there is no room, it forgets the others. */
void player_cache_keep(struct player_cache *k, const char *key, const struct player_doc *p);

void player_cache_forget(struct player_cache *k);
