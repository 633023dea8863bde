/* Players whose suspension has ended, names that lead on, staff, addresses that can't make an account.
 * All of it stands in the players' documents; the index answers. */
#ifndef STORE_STORE_PLAYER_LISTS_H
#define STORE_STORE_PLAYER_LISTS_H

#include "store/store_questions.h"

/* The userids of players whose suspension ends at t or before, the earliest first. */
int store_suspended_due(struct store *s, int64_t t, size_t limit, userid_fn *fn, void *arg,
                        struct err *e);

/* The names that lead on to this one, folded. */
int store_renamed_to(struct store *s, const char *userid, userid_fn *fn, void *arg, struct err *e);

/* The players with another role than "player", folded; computers are among them.  A nonzero
 * result of fn ends the walk and is the result. */
int store_staff(struct store *s, userid_fn *fn, void *arg, struct err *e);

/* 1: a player who is banned has an address with this hash; 0: nobody has. */
int store_barred(struct store *s, const char *hash, struct err *e);

/* The players who have such hashes, folded; fn may change documents. */
int store_barred_players(struct store *s, userid_fn *fn, void *arg, struct err *e);

#endif
