/* Several processes that read all documents at once: most of the time for a new index is spent
 * on reading and parsing them, and the rest on waiting for the disk. */
#ifndef STORE_CHECK_READERS_H
#define STORE_CHECK_READERS_H

#include "store/check/relay.h"
#include "store/store.h"

#define READERS_MAX 16

struct readers {
	size_t count;
	struct child children[READERS_MAX];
	struct child *speaker; /* sent what is in relay */
	struct relay relay;
	struct child_plan plan;
};

/* The processes live until readers_stop(), and no longer than this one. */
int readers_start(struct readers *r, const struct store *s, struct err *e);

/* 1: *out is a query for the index, the reason why a document is left out, or "done" for a
 * document.  Different documents come in no fixed order.  *out is valid until the next call.  0:
 * all documents are done.  An error of a reader is returned as it is; ERR_SYSTEM: one ended too
 * early. */
int readers_next(struct readers *r, struct relay_item *out, struct err *e);

void readers_stop(struct readers *r);

#endif
