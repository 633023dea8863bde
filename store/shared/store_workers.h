/* The machines that share a store: each notes with every run that it is there, and what it works
 * with. */
#pragma once

#include <stdint.h>

#include "store/store.h"

struct worker {
	const char *name;
	int64_t at;         /* the time of its last run */
	int64_t trip;       /* microseconds for a question to the server and its answer */
	const char *source; /* where it takes mail in */
	const char *program, *conf, *templates,
		*secret; /* version; sums of what must be the same */
};

/* Notes this machine, under its own name, and forgets those that were not there for a month. */
int store_worker_note(struct store *s, const struct worker *w, struct err *e);

/* Within a transaction: forgets a machine, or nothing. */
int store_worker_drop(struct store *s, const char *name, struct err *e);

/* The machines that were there at that time or later, by name. */
int store_workers(struct store *s, int64_t since, int (*fn)(const struct worker *w, void *arg),
                  void *arg, struct err *e);

/* This machine's name. */
const char *store_worker_name(const struct store *s);
