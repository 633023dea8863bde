/* A document together with its place in the store: path, key, sum.  Reading, writing,
 * reindexing and fsck share this; it is private to the store. */
#pragma once

#include "store/db/db.h"
#include "store/document/document.h"
#include "store/document/keys.h"
#include "store/document/opening.h"
#include "store/document/tournament.h"

/* Columns of the index rows, see store/db.h. */
#define GAME_ROW_COLUMNS 17
#define GAME_ROW_DUE 13
#define GAME_ROW_OPENING 14
#define GAME_ROW_TOURNAMENT 16
#define DOCUMENT_FILE_DUE_NOW 1 /* the due time that store_look_at() sets */
#define RATING_ROW_COLUMNS 8
#define DOCUMENT_FILE_HASH_SIZE 80

enum document_file_kind { DOCUMENT_FILE_GAME, DOCUMENT_FILE_PLAYER, DOCUMENT_FILE_TOURNAMENT };

struct document_file {
	enum document_file_kind kind;
	char path[KEY_PATH_MAX];
	int64_t board;                /* of a game, else 0 */
	char key[KEY_USERID_MAX + 1]; /* the folded userid or name, "" for a game */
	int64_t sum;                  /* of its bytes, set by loading and writing */
	struct game_doc game;         /* set if it is a game */
	bool summary;                 /* reads a game without its events, and keeps its bytes */
	const char *text; /* then: these bytes, from which document_file_write() copies the
	                               * events; NULL: another layout, the events were read */
	size_t text_len;
	char opening[OPENING_MAX];        /* of a game that was read without its events */
	struct player_doc player;         /* set if it is a player */
	struct tournament_doc tournament; /* set if it is a tournament */
};

/* Set the place of a document.  False: no document can have this number, userid or path. */
bool document_file_game(int64_t board, struct document_file *out);
bool document_file_player(const char *userid, struct document_file *out);
bool document_file_tournament(const char *name, struct document_file *out);
bool document_file_path(const char *path, struct document_file *out);

/* Reads the document from its bytes; with `summary`, as document_file_parse_summary() does it.  ERR_DAMAGED also when it belongs to another place;
 * the text begins with the path. */
int document_file_parse(struct document_file *d, struct arena *a, const char *bytes, size_t n,
                        struct err *e);

/* The same, but a game is read without its events: enough for document_file_index(). */
int document_file_parse_summary(struct document_file *d, struct arena *a, const char *bytes,
                                size_t n, struct err *e);

/* The most bytes that its file may have. */
size_t document_file_limit(const struct document_file *d);

/* Reads the bytes of the file to the heap.  ERR_NOT_FOUND, ERR_DAMAGED. */
int document_file_load(struct document_file *d, int dirfd, char **bytes, size_t *n, struct err *e);

/* Writes the document's only right bytes to out.  ERR_LIMIT; then out needs no release. */
int document_file_write(struct document_file *d, struct str *out, struct err *e);

/* Calls run with each query that brings the index in line with the document.  run answers its first
 * error from then on, as db_run() does in a transaction. */
typedef int document_file_row_fn(void *to, enum db_query q, size_t n, const struct db_value *args,
                                 struct err *e);
int document_file_rows(const struct document_file *d, document_file_row_fn *run, void *to,
                       struct err *e);
document_file_row_fn document_file_run; /* in a struct db */

/* The part of them that is about the ratings of a game. */
int document_file_rating_rows(const struct game_doc *g, document_file_row_fn *run, void *to,
                              struct err *e);

/* Runs these queries: the index agrees with the document. */
int document_file_index(const struct document_file *d, struct db *db, struct err *e);

/* The same of a game of which only the ratings have changed. */
int document_file_index_ratings(const struct document_file *d, struct db *db, struct err *e);

/* The same of a game, but not the sum of the document, which has not changed. */
int document_file_index_game(const struct document_file *d, struct db *db, struct err *e);

/* *differs names the first thing in which the index differs; NULL: there is none. */
int document_file_compare(const struct document_file *d, struct db *db, const char **differs,
                          struct err *e);

/* Is a RATING_ROW of the index one of the document's ratings? */
bool document_file_has_rating(const struct game_doc *g, const struct db_row *row);

/* 1: *sum is that of the bytes that were stored last; 0: none is known, because an
 * earlier version of pbm wrote the document. */
int document_file_sum(const char *path, struct db *db, int64_t *sum, struct err *e);

/* The sum of a document's bytes. */
int64_t document_file_sum_of(const char *bytes, size_t n);

/* Returns ERR_DAMAGED: the file is a document, but not the one that was stored. */
int document_file_complain_changed(const char *path, struct err *e);

/* 1: the row was made by a version that did not index the openings and past ratings of finished
 * games, or the roles of players; 0: it was not. */
int document_file_is_old(const struct document_file *d, struct db *db, struct err *e);

/* 1: the index has the document, 0: it has not. */
int document_file_is_indexed(const struct document_file *d, struct db *db, struct err *e);
