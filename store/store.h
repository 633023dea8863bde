/* The store: games and players as JSON files, made safe by one database (pbm.db)
 * that is the commit point and the index.  One transaction carries the documents'
 * new bytes, the outgoing mails, the seen marks and the index rows of a batch of
 * mails; after the commit the documents are written to their files.  Opening for
 * writing finishes what a crash left undone.  One process writes at a time; readers
 * never wait.  The store knows no rules of games and sends no mail.
 *
 * This header has opening and transactions.  The other headers store_….h have what
 * is done with an open store; these rules hold for all of them:
 * - A function that changes a row must be called inside a transaction (else ERR_BAD).
 * - A function that hands rows to a callback first copies them all, at most `limit`
 *   of them.  So a callback may write to the store and ask again.
 * - A callback that returns nonzero stops the walk.  A negative result is returned
 *   to the caller, a positive one becomes 0. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

struct store;

enum store_mode {
	STORE_READ,
	STORE_ADD,   /* only for store_inbox_add() on a server: also while another process writes */
	STORE_WRITE, /* ERR_BUSY when another process writes */
	STORE_MOVE   /* the same, for a migration that perhaps goes on */
};

/* Names the database of the stores that this process opens from now on: "sqlite:", the default, is
 * pbm.db in the store's folder; "postgresql://…" is a server, which then has the documents, too.
 * ERR_BAD: neither of them.  ERR_AGAIN: this program has no library for it; pbm-postgres has. */
int store_use(const char *url, struct err *e);
/* From now on: the name of this machine among those that share a store; "": its host name. */
void store_call_worker(const char *name);
/* Does store_use() name a server? */
bool store_is_on_server(void);
/* Do several machines share the store? */
bool store_is_shared(const struct store *s);

/* Makes games/, players/ and pbm.db in dir, and dir itself; what exists is kept.
 * ERR_DAMAGED: there are documents, but no pbm.db; store_reindex() makes one. */
int store_create(const char *dir, struct err *e);
/* ERR_NOT_FOUND, ERR_BUSY, ERR_DAMAGED. */
int store_open(const char *dir, enum store_mode mode, struct store **out, struct err *e);
void store_close(struct store *s); /* NULL is fine */

/* A server's store that `pbm migrate` has left.  What was written there from then on would be missing in
 * the new store, so nobody opens it for writing. */
struct store_move {
	const char *machine; /* on which `pbm migrate` ran */
	const char *to;      /* "sqlite:", files of that machine, or a URL; "": not known */
	bool own;            /* the machine is this one */
};
/* 1: the site has moved, and *out, in the arena, says where to; 0: it works here. */
int store_moved(struct store *s, struct arena *a, struct store_move *out, struct err *e);
/* The work of this machine's operator then: a sentence that begins small, in the arena. */
const char *store_move_todo(const struct store_move *m, struct arena *a);

/* One transaction serves a batch of mails.  Reads see the transaction's own writes.
 *
 * A transaction keeps its first error: that of a write which failed or was refused, of pbm.db, and
 * after a mark also of a file that cannot be read.  From then on each call answers this error, and
 * writes do nothing; the commit fails with it.  So a function that only writes need not look at
 * each result, and an error that was taken for "not found" is not committed.  Ending the mark with
 * the error, or the transaction, forgets it. */
int store_begin(struct store *s, struct err *e);

/* A mark is a savepoint at the start of each mail: when a mail fails, only its own changes are
 * undone. */
int store_mark(struct store *s, struct err *e);
/* Ends a mark.  0: the changes since the mark stay.  1: they are undone, because rc is negative or
 * because the transaction keeps an error; *why is the error.  <0: the transaction must end. */
int store_end_mark(struct store *s, int rc, struct err *why, struct err *e);

/* Returns 0 when everything is durable.  It writes the documents to their files after the
 * commit; if that fails, the commit is valid, and the next store_begin() or store_open() writes
 * them.  ERR_UNCERTAIN: the disk failed at the last step; close the store, and the next
 * store_open() shows whether the commit happened.  After any failure the transaction is over. */
int store_commit(struct store *s, struct err *e);
void store_abort(struct store *s);
/* Ends a transaction: commits if rc is 0 or more, else aborts and returns rc.  rc may also be
 * the result of a failed store_begin(). */
int store_end(struct store *s, int rc, struct err *e);

/* The number of the open transaction, counted since the start of the program; 0: none is open. */
uint64_t store_transaction(const struct store *s);

/* A light transaction only notes that work is done: pages were written, mails lie in the
 * Maildir.  It changes no document.  Its commit costs no flush: the next commit of an ordinary
 * transaction makes it durable, and after a power cut before that the work is done once more.
 * more: the commit comes with that of the next light transaction, or when the store is closed;
 * until then the changes are seen by this process alone. */
int store_begin_light(struct store *s, struct err *e);
/* Within it: files written until now on the file system of this folder must be on the disk
 * before the commit.  The last folder counts. */
int store_light_after(struct store *s, int dirfd, struct err *e);
int store_end_light(struct store *s, int rc, bool more, struct err *e);
