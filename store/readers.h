/* All documents read by several processes at once: reading and parsing is most of
 * what a new index costs, and waiting for the disk is the rest. */
#ifndef STORE_READERS_H
#define STORE_READERS_H

#include <sys/types.h>

#include "store/relay.h"
#include "store/store.h"

#define READERS_MAX 16

struct readers {
	size_t count, ended;
	pid_t pids[READERS_MAX];
	struct relay relay;
};

/* The processes live until readers_stop(), and no longer than this one. */
int readers_start(struct readers *r, const struct store *s, struct err *e);

/* 1: *out is what a reader says of a document, in no particular order: the
 * queries that put it into the index, why it is left out, that it is done.
 * 0: all documents are through.  A reader's failure is this one's. */
int readers_next(struct readers *r, struct relay_item *out, struct err *e);

void readers_stop(struct readers *r);

#endif
