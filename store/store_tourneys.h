/* Lists of tournaments, answered from the index, and the marks of their archive pages.  Their
 * documents are read and written by store_documents.h. */
#ifndef STORE_STORE_TOURNEYS_H
#define STORE_STORE_TOURNEYS_H

#include "store/store.h"
#include "store/tourney.h"

/* The members have the meaning they have in struct tourney_doc. */
struct tourney_row {
	const char *name, *game, *director;
	enum tourney_kind kind;
	enum tourney_state state;
	int paired, rounds, players;
	int64_t created, ended, due;
};
typedef int tourney_row_fn(const struct tourney_row *row, void *arg);

/* Tournaments in that state before a place in the order (created, key), the newest first. */
struct tourney_place {
	int64_t created; /* INT64_MAX: start with the newest */
	const char *key;
};
int store_tourneys(struct store *s, enum tourney_state state, struct tourney_place below,
                   size_t limit, tourney_row_fn *fn, void *arg, struct err *e);

/* 1: there is such a tournament, and *out is its row, with strings in the arena; 0: none. */
int store_tourney_row(struct store *s, struct arena *a, const char *name, struct tourney_row *out,
                      struct err *e);

typedef int tourney_key_fn(const char *key, int64_t due, void *arg);
/* Those at which the server has to look by that time, after (due, key), earliest first. */
int store_tourneys_due(struct store *s, int64_t t, int64_t due, const char *key, size_t limit,
                       tourney_key_fn *fn, void *arg, struct err *e);
/* Those in which the player has an entry, with greater keys than `after`, rising; due is 0. */
int store_tourneys_of(struct store *s, const char *userid, const char *after, size_t limit,
                      tourney_key_fn *fn, void *arg, struct err *e);
/* All, with greater keys than `after`, rising. */
int store_tourneys_after(struct store *s, const char *after, size_t limit, tourney_key_fn *fn,
                         void *arg, struct err *e);

/* Tournaments whose archive pages must be written again, with greater keys, rising. */
int store_tourney_pages(struct store *s, const char *after, size_t limit, tourney_key_fn *fn,
                        void *arg, struct err *e);
/* Marks all of them. */
int store_tourney_pages_add(struct store *s, struct err *e);
int store_tourney_page_done(struct store *s, const char *key, struct err *e);

#endif
