/* Players whose suspension has ended or whose digest is due, watchers, names that lead on, staff,
 * addresses that can't make an account.  All of it stands in the players' documents; the index answers. */
#pragma once

#include "store/store_questions.h"

/* The names that lead on to this one, folded. */
int store_renamed_to(struct store *s, const char *userid, userid_fn *fn, void *arg, struct err *e);

/* The players with another role than "player", folded; computers are among them. */
int store_staff(struct store *s, userid_fn *fn, void *arg, struct err *e);

/* 1: a player who is banned has an address with this hash; 0: nobody has. */
int store_barred(struct store *s, const char *hash, struct err *e);

/* The players who have such hashes, folded; fn may change documents. */
int store_barred_players(struct store *s, userid_fn *fn, void *arg, struct err *e);

/* 1: somebody watches one of the two, as below. */
int store_watched(struct store *s, const char *what, const char *other, struct err *e);

/* Players who watch a board ("17") or a kind of game ("suicide"): at most limit of them,
 * by their folded userids.  final: only the last mail of each game. */
typedef int watcher_fn(const char *player, bool final, void *arg);
int store_watchers(struct store *s, const char *what, size_t limit, watcher_fn *fn, void *arg,
                   struct err *e);

/* Players whose digest is due at t, or whose suspension ends by then, the earliest first, after the
 * place (due, player); (0, "") starts with the first. */
typedef int player_due_fn(const char *player, int64_t due, void *arg);
int store_digest_due(struct store *s, int64_t t, int64_t due, const char *player, size_t limit,
                     player_due_fn *fn, void *arg, struct err *e);
int store_suspended_due(struct store *s, int64_t t, int64_t due, const char *player, size_t limit,
                        player_due_fn *fn, void *arg, struct err *e);
