/* Work for players and tournaments that is due at a time: each of them in a savepoint of its
 * own, some in a transaction. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct err;
struct request;
struct site;
struct store;

typedef int due_work_fn(struct request *q, const char *key, int64_t due, struct err *e);

/* Works on one.  0: done; 1: undone, and *why has the reason; negative: the machine failed. */
int due_try(struct site *site, int64_t now, due_work_fn *work, const char *key, int64_t due,
            struct err *why, struct err *e);

typedef int due_key_fn(const char *key, int64_t due, void *arg);
struct due_kind {
	/* Those due at t, after the place (due, key), earliest first. */
	int (*find)(struct store *s, int64_t t, int64_t due, const char *key, size_t limit,
	            due_key_fn *fn, void *arg, struct err *e);
	due_work_fn *work;
	void (*failed)(const char *key, const char *why); /* tells of a failure; the others go on */
};

/* The kinds of work. */
extern const struct due_kind due_suspensions, due_tournaments, due_digests;

/* Does all that is due at now, outside a transaction, after the mails and the clocks of the run.
 * The document that says when something is due changes in the transaction of the work.  So a run that
 * is killed and repeated does each thing once. */
int due_run(struct site *site, int64_t now, struct err *e);
