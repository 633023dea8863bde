/* Declarations for the files of the store alone: the open store, its locks, its folder, and the
 * way of pending rows to their files. */
#pragma once

#include <stdbool.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"
#include "store/db/db.h"
#include "store/document/document.h"
#include "store/document/keys.h"
#include "store/store.h"

#define PLAYER_CACHE_SIZE 32

/* The players that the open transaction has read or written.  A mail needs the same two players
 * some thirty times: for the token, the rules of the account, languages, styles of boards.
 * Nobody else can change them during a transaction, so their files are read once.  Zero-initialised
 * it is empty. */
struct player_cache {
	struct arena arena;
	size_t count;
	struct player_cache_player {
		char key[KEY_USERID_MAX + 1]; /* the folded userid */
		struct player_doc doc;
	} player[PLAYER_CACHE_SIZE];
};

#define STORE_DB "pbm.db"
/* The path of a row that a migration leaves on a server, until a site writes there for the first
 * time.  Capitals sort before all documents. */
#define STORE_UNUSED "UNUSED"
#define STORE_LOCK "lock"
#define STORE_PATH_MAX 1024
#define STORE_WORKER_MAX 256
#define STORE_KEY_MAX 1000 /* bytes: a Message-ID with its sender fits */

struct store {
	char dir[STORE_PATH_MAX];
	int dirfd;
	int lockfd;                    /* -1: open for reading only, or given up by store_yield() */
	int sendfd;                    /* -1: this process has not got the right to send */
	char worker[STORE_WORKER_MAX]; /* the machine's name */
	int stillfd;                   /* the lock of a reader that lets nobody write; -1: none */
	bool in_txn, marked;
	uint64_t transactions; /* that began */
	bool light;            /* the transaction is a light one, open or left open */
	bool left_open;        /* it waits for the next light one to go on with it */
	int afterfd;           /* a folder that must be flushed before the commit; -1: none */
	uint64_t after;        /* io_written() at the time that the flush must cover */
	bool settled;          /* every committed pending row is in its file */
	uint64_t written;      /* io_written() at the time that a flush must cover before the rows
	                     * are deleted */
	bool leftover;         /* settled rows are still in the database, to be deleted */
	bool uncertain;        /* a commit may have happened: only a new open can tell */
	bool moves;            /* it may be one that this machine has begun to leave */
	struct player_cache known; /* empty outside a transaction */
	const char *no_value;      /* the open transaction has no values whose names begin so */
	struct db *db;
};

/* Opens dir as a store without a database; for STORE_WRITE it takes the lock.
 * ERR_BUSY, ERR_NOT_FOUND. */
int store_attach(const char *dir, enum store_mode mode, struct store **out, struct err *e);

/* The right to send is a lock (F_WRLCK) of one byte of the file `lock`.  The right to write is a
 * lock of the whole file with flock(), which is of another kind.  As fcntl(). */
int store_lock_byte(int fd, short type);
/* Releases the locks of both kinds, even when a child process has a copy of the descriptor, and sets
 * *fd to -1.  Does nothing when *fd is -1. */
void store_unlock(int *fd);

/* Closes the database and lets other processes write. */
void store_let_go(struct store *s);

/* dir/name in buf of STORE_PATH_MAX bytes. */
void store_path(const struct store *s, const char *name, char *buf);

/* db_open() for the store's database.  ERR_TEMP: for writing, and the site has moved to another one. */
int store_open_db(const struct store *s, enum db_mode mode, struct db **out, struct err *e);

/* ERR_TEMP: the site has moved, and db is its old store. */
int store_refuse_moved(const struct store *s, struct db *db, struct err *e);
/* Within a transaction of db: marks that this machine moves the site to another store; NULL: takes a mark
 * away. */
int store_mark_moved(const struct store *s, struct db *db, const char *to, struct err *e);

/* Keeps others from writing while this store, which was attached for reading, is open.  In a
 * folder that cannot be written the lock is shared with other readers; it is left out if
 * the lock's file cannot be opened either.  ERR_BUSY. */
int store_hold_still(struct store *s, struct err *e);

/* Opens the database for reading, also in a folder that cannot be written. */
int store_open_db_to_read(struct store *s, struct err *e);

/* Commits a light transaction that was left open. */
int store_end_open(struct store *s, struct err *e);
/* Flushes the folder that the light transaction waits for. */
int store_flush_before(struct store *s, struct err *e);

/* ERR_UNCERTAIN when a commit may have happened. */
int store_check_certain(const struct store *s, struct err *e);

/* The error that the transaction keeps, ERR_BAD outside a transaction, ERR_SYSTEM when the database
 * rolled it back by itself, ERR_UNCERTAIN when a commit may have happened. */
int store_may_write(const struct store *s, struct err *e);
/* Runs a query that changes rows, if store_may_write() allows it. */
int store_change(struct store *s, enum db_query q, size_t n, const struct db_value *args,
                 struct err *e);

/* Refuses a change: the transaction keeps the error.  Returns its code and sets *e to it. */
int store_refuse(struct store *s, const struct err *why, struct err *e);

/* Refuses a change with ERR_BAD when text is NULL, ERR_LIMIT when it is longer than max bytes;
 * `what` names the text in the message. */
int store_check_text(struct store *s, const char *what, const char *text, size_t max,
                     struct err *e);

/* At most max bytes of text, which may be NULL, cut between two characters. */
struct db_value store_cut_text(const char *text, size_t max);

/* NULL: not known. */
const struct player_doc *player_cache_player(const struct player_cache *k, const char *key);

/* Keeps a copy; when there is no room, it forgets the others. */
void player_cache_keep(struct player_cache *k, const char *key, const struct player_doc *p);

void player_cache_forget(struct player_cache *k);
