/* The players that the open transaction has read or written.  A mail needs the same two players
 * some thirty times: for the token, the rules of the account, languages, styles of boards.
 * Nobody else can change them during a transaction, so their files are read once. */
#ifndef STORE_KNOWN_H
#define STORE_KNOWN_H

#include "store/document.h"
#include "store/keys.h"

#define KNOWN_PLAYERS 32

/* Zero-initialised it is empty. */
struct known {
	struct arena arena;
	size_t count;
	struct known_player {
		char key[KEY_USERID_MAX + 1]; /* the folded userid */
		struct player_doc doc;
	} player[KNOWN_PLAYERS];
};

/* NULL: not known. */
const struct player_doc *known_player(const struct known *k, const char *key);

/* Keeps a copy; when there is no room, it forgets the others. */
void known_keep(struct known *k, const char *key, const struct player_doc *p);

void known_forget(struct known *k);

#endif
