/* Addresses of banned and suspended players.  The player's document keeps a keyed hash of each, also after the
 * account is deleted, so that its owner can't make a new one.  The hashes are of mailboxes:
 * "bob+games@example.org" is read by bob@example.org, and b.ob@googlemail.com by bob@gmail.com.
 * They are made with the site's newest key, and found with all its keys; before a key is
 * dropped, its hashes are made again, if the addresses are still known. */
#pragma once

#include "pbm/site/site.h"
#include "store/document/document.h"

struct request;

/* The hashes of all confirmed addresses of p, with blanks between them; NULL: p has
 * none. */
const char *banned_addresses_hashes(const struct site *site, struct arena *a,
                                    const struct player_doc *p);

/* 1: the address is one of a banned or suspended player; 0: it is not.  own: a player's userid, to
 * whose account it may come while he is suspended; or NULL. */
int banned_addresses_has(struct request *q, const char *address, const char *own, struct err *e);

/* Is another account in the player's mailbox suspended or banned? */
bool banned_addresses_shares(struct request *q, const struct player_doc *p);

/* Before the site's key of this index is dropped: gives banned players hashes by the newest key.
 * The addresses of players who have left are unknown: *lost counts these players, *names has
 * some of them; with forget, hashes without a key are removed.  In a transaction. */
int banned_addresses_move(struct site *site, struct arena *a, size_t key, bool forget, size_t *lost,
                          const char **names, struct err *e);
