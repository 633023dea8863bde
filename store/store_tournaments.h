/* Lists of tournaments, answered from the index, and the marks of their archive pages.  Their
 * documents are read and written by store_documents.h. */
#pragma once

#include "store/document/tournament.h"
#include "store/store.h"

/* The members have the meaning they have in struct tournament_doc. */
struct tournament_row {
	const char *name, *game, *director;
	enum tournament_kind kind;
	enum tournament_state state;
	int paired, rounds, players;
	int64_t created, ended, due;
};
typedef int tournament_row_fn(const struct tournament_row *row, void *arg);

/* Tournaments in that state before a place in the order (created, key), the newest first. */
struct tournament_place {
	int64_t created; /* INT64_MAX: start with the newest */
	const char *key;
};
int store_tournaments(struct store *s, enum tournament_state state, struct tournament_place below,
                      size_t limit, tournament_row_fn *fn, void *arg, struct err *e);

typedef int tournament_key_fn(const char *key, int64_t due, void *arg);
/* Those at which the server has to look by that time, after (due, key), earliest first. */
int store_tournaments_due(struct store *s, int64_t t, int64_t due, const char *key, size_t limit,
                          tournament_key_fn *fn, void *arg, struct err *e);
/* Those in which the player has an entry, with greater keys than `after`, rising; due is 0. */
int store_tournaments_of(struct store *s, const char *userid, const char *after, size_t limit,
                         tournament_key_fn *fn, void *arg, struct err *e);
/* All, with greater keys than `after`, rising. */
int store_tournaments_after(struct store *s, const char *after, size_t limit, tournament_key_fn *fn,
                            void *arg, struct err *e);
