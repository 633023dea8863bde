/* A document together with the place it has in the store: what reading by
 * number, reindexing and checking have in common.  Private to the store. */
#ifndef STORE_STORED_H
#define STORE_STORED_H

#include "store/db/db.h"
#include "store/document.h"
#include "store/keys.h"

/* Columns of the index rows, see store/db.h. */
#define GAME_ROW_COLUMNS 14
#define RATING_ROW_COLUMNS 8

struct stored {
	char path[KEY_PATH_MAX];
	int64_t board;                /* 0: a player */
	char key[KEY_USERID_MAX + 1]; /* the folded userid, "" for a game */
	int64_t sum;                  /* of its bytes, once loaded or written */
	struct game_doc game;         /* the one that it is */
	struct player_doc player;
};

/* Fill the place.  False: no document can have this userid, or this path. */
bool stored_game(int64_t board, struct stored *out);
bool stored_player(const char *userid, struct stored *out);
bool stored_path(const char *path, struct stored *out);

/* Fills the document.  ERR_DAMAGED also when it says it is another one;
 * complaints begin with the path. */
int stored_parse(struct stored *d, struct arena *a, const char *bytes, size_t n, struct err *e);

/* The same, of a game without its events: enough for stored_index(). */
int stored_parse_summary(struct stored *d, struct arena *a, const char *bytes, size_t n,
                         struct err *e);

/* The bytes of the file, on the heap.  ERR_NOT_FOUND, ERR_DAMAGED. */
int stored_load(struct stored *d, int dirfd, char **bytes, size_t *n, struct err *e);

/* The canonical bytes.  ERR_LIMIT. */
int stored_write(struct stored *d, struct str *out, struct err *e);

/* Calls run with the queries that make an index say what the document says. */
typedef int stored_row_fn(void *to, enum db_query q, size_t n, const struct db_value *args,
                          struct err *e);
int stored_rows(const struct stored *d, stored_row_fn *run, void *to, struct err *e);

/* Makes the index say what the document says. */
int stored_index(const struct stored *d, struct db *db, struct err *e);

/* *differs names the first thing the index says otherwise; NULL: nothing. */
int stored_compare(const struct stored *d, struct db *db, const char **differs, struct err *e);

/* True when the index's RATING_ROW is the document's i-th rating. */
bool stored_rating_is(const struct game_doc *g, size_t i, const struct db_row *row);

/* 1: *sum is that of the bytes that were stored last; 0: none is known, for an
 * earlier version made the site. */
int stored_sum(const struct stored *d, struct db *db, int64_t *sum, struct err *e);

/* ERR_DAMAGED: the file reads well, but is not what was stored. */
int stored_complain_changed(const struct stored *d, struct err *e);

/* 1: the index has it, 0: not. */
int stored_is_indexed(const struct stored *d, struct db *db, struct err *e);

void stored_game_row(const struct game_doc *g, struct db_value args[GAME_ROW_COLUMNS]);

void stored_rating_row(const struct game_doc *g, size_t i, const char *key,
                       struct db_value args[RATING_ROW_COLUMNS]);

#endif
