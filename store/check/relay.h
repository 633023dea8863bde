/* Queries with their values, and other news, from a child process to its parent.  The
 * sender gathers them into the frames of child.h; the receiver takes them out of a frame one
 * by one.  Both are the same program, so the bytes are those of its memory. */
#ifndef STORE_CHECK_RELAY_H
#define STORE_CHECK_RELAY_H

#include "pbm/base/child.h"
#include "store/db/db.h"

#define RELAY_BYTES 32768 /* of a frame; an item may not be larger */
#define RELAY_VALUES 16

enum relay_kind {
	RELAY_QUERY,    /* query with its values */
	RELAY_DONE,     /* a document is done */
	RELAY_LEFT_OUT, /* why: text */
	RELAY_FAILED,   /* enum err_code, text: the sender gave up */
	RELAY_END       /* the sender is done */
};

struct relay_item {
	enum relay_kind kind;
	enum db_query query;
	size_t n;
	struct db_value v[RELAY_VALUES]; /* point into the frame */
};

/* The items of a frame that have not been taken yet. */
struct relay {
	const char *at, *end;
};

/* Adds an item to the next frame; sends the frame first if the item does not fit into it.
 * ERR_TEMP when the other end is gone; ERR_LIMIT.  DB_BYTES can't be sent. */
int relay_put(struct child *to, enum relay_kind kind, enum db_query query, size_t n,
              const struct db_value *v, struct err *e);

/* 1: *out is the next item; 0: there is no other.  ERR_SYSTEM: the frame ends inside it. */
int relay_take(struct relay *r, struct relay_item *out, struct err *e);

#endif
