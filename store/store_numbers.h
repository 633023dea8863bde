/* Numbers for the people who run the site: the counts of runs, and the sizes of the store. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

/* Adds to a counter, which begins at 0 and is kept by a reindex and a backup.  Its name is like
 * "mails-in:taken".  n = 0 changes nothing. */
int store_number_add(struct store *s, const char *name, int64_t n, struct err *e);
int store_number_set(struct store *s, const char *name, int64_t n, struct err *e);

/* Called with a name that lives as long as the call. */
typedef int number_fn(const char *name, int64_t n, void *arg);

/* All counters, by name. */
int store_numbers(struct store *s, number_fn *fn, void *arg, struct err *e);

/* Of each kind of game the numbers of offered, running, finished and closed games. */
typedef int game_states_fn(const char *game, const int64_t states[4], void *arg);
int store_game_states(struct store *s, game_states_fn *fn, void *arg, struct err *e);

/* Games that are running.  It counts no further than to most: each costs a little. */
int store_running_size(struct store *s, int64_t most, int64_t *n, struct err *e);

/* Players with an address that is confirmed: those who left have none. */
int store_players_size(struct store *s, int64_t *n, struct err *e);

/* Mails that wait, and when the oldest was written; 0: none waits. */
int store_outbox_size(struct store *s, int64_t *n, int64_t *oldest, struct err *e);

/* Of the counts of store_rate() under keys that begin with prefix, the greatest ones.  The name
 * is the rest of the key. */
int store_rates_most(struct store *s, const char *prefix, int64_t now, size_t limit, number_fn *fn,
                     void *arg, struct err *e);
