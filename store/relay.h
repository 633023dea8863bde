/* Queries with their values, and other news, from one process to another: a
 * sender gathers them into messages of a SOCK_SEQPACKET socket, a receiver takes
 * them out one by one.  Several senders may share one end.  Both are the same
 * program, so the bytes are those of its memory. */
#ifndef STORE_RELAY_H
#define STORE_RELAY_H

#include "store/db/db.h"

#define RELAY_BYTES 32768 /* of a message; no single item may need more */
#define RELAY_VALUES 16

enum relay_kind {
	RELAY_QUERY,    /* query with its values */
	RELAY_DONE,     /* a document is through */
	RELAY_LEFT_OUT, /* why: text */
	RELAY_FAILED,   /* enum err_code, text: the sender gave up */
	RELAY_END       /* the sender has done its work */
};

struct relay_item {
	enum relay_kind kind;
	enum db_query query;
	size_t n;
	struct db_value v[RELAY_VALUES]; /* point into the relay until the next call */
};

struct relay {
	int fd;
	size_t len, at;
	char bytes[RELAY_BYTES];
};

/* ERR_SYSTEM when the other end is gone; ERR_LIMIT.  DB_BYTES isn't carried. */
int relay_put(struct relay *r, enum relay_kind kind, enum db_query query, size_t n,
              const struct db_value *v, struct err *e);
int relay_flush(struct relay *r, struct err *e);

/* 1: *out is set; 0: every sender has closed its end. */
int relay_next(struct relay *r, struct relay_item *out, struct err *e);

#endif
