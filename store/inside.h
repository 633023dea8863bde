/* What the files of the store share with each other and with nobody else. */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include <stdbool.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "store/db/db.h"
#include "store/store.h"

#define STORE_DB "pbm.db"
#define STORE_LOCK "lock"
#define STORE_SENDING "sending"
#define STORE_PATH_MAX 1024

struct store {
	char dir[STORE_PATH_MAX];
	int dirfd, lockfd; /* lockfd -1: reading, or given up for a while */
	int sendfd;        /* -1: somebody else may send */
	bool in_txn, marked;
	bool settled;       /* every committed pending row is in its file, durably */
	bool leftover;      /* ... and there are such rows, to be deleted */
	bool uncertain;     /* a commit went wrong: only a new open can tell */
	struct err trouble; /* a file that could not be read since the mark */
	struct db *db;
};

/* dir as a new store without a database; for writers with the lock.
 * ERR_BUSY, ERR_NOT_FOUND. */
int store_attach(const char *dir, enum store_mode mode, struct store **out, struct err *e);

/* Opens the file dir/name and locks it.  1: *fd has the lock; 0: another process has. */
int store_lock(const struct store *s, const char *name, int *fd, struct err *e);
/* Also where a child has a copy of the descriptor.  *fd is -1 then. */
void store_unlock(int *fd);

/* Closes the database and lets others write. */
void store_let_go(struct store *s);

/* dir/name in buf of STORE_PATH_MAX bytes. */
void store_path(const struct store *s, const char *name, char *buf);

/* db_open() for the database dir/name. */
int store_open_db(const struct store *s, const char *name, enum db_mode mode, struct db **out,
                  struct err *e);

/* Writes every pending row to its file, then syncs once.  The rows stay, for
 * the next transaction to delete. */
int store_settle(struct store *s, struct err *e);

/* Deletes settled rows in a transaction of their own. */
int store_forget_pending(struct store *s, struct err *e);

/* ERR_BAD outside a transaction, ERR_SYSTEM when the database gave it up,
 * ERR_UNCERTAIN after a commit went wrong. */
int store_may_write(const struct store *s, struct err *e);

#endif
