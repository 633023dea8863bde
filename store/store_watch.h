/* Finds who gets the mails of a game without playing, which boards the watchers must be told
 * about, and whose digest is due.  The watches stand in the players' documents. */
#ifndef STORE_STORE_WATCH_H
#define STORE_STORE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

/* Players who watch a board ("17") or a kind of game ("suicide"): at most limit of them,
 * by their folded userids.  final: only the last mail of each game. */
typedef int watcher_fn(const char *player, bool final, void *arg);
int store_watchers(struct store *s, const char *what, size_t limit, watcher_fn *fn, void *arg,
                   struct err *e);

/* Notes that watchers must be told about a board, and how many of its events they know.
 * A board that waits already keeps its number. */
int store_watch_due_add(struct store *s, int64_t board, size_t events, struct err *e);
typedef int watch_due_fn(int64_t board, size_t events, void *arg);
/* Such boards with greater numbers than `after`, rising. */
int store_watch_due(struct store *s, int64_t after, size_t limit, watch_due_fn *fn, void *arg,
                    struct err *e);
int store_watch_due_done(struct store *s, int64_t board, struct err *e);

/* Players whose digest is due at t, the earliest first, after the place (due, player); (0, "")
 * starts with the first. */
typedef int digest_due_fn(const char *player, int64_t due, void *arg);
int store_digest_due(struct store *s, int64_t t, int64_t due, const char *player, size_t limit,
                     digest_due_fn *fn, void *arg, struct err *e);

#endif
