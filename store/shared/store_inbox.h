/* Mails that came to a store which several machines share: each is a row, until it has had its
 * effect.  Whoever takes mail in adds rows; any machine works on them, in the order in which they
 * were added.  A row goes in the transaction of the mail's effect; and since such transactions are
 * serial, no other machine can work on the mail meanwhile.
 *
 * A mail that cannot be worked on is put aside, and its row stays. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct inbox_mail {
	int64_t id, came; /* came: Unix seconds */
	bool cut;         /* the mail was larger: bytes has its beginning */
	const char *bytes;
	size_t len;
};

/* Adds a mail under a name that its bytes have alone.  Nothing happens if a mail of this name
 * waits; if it was put aside, it waits again.  Outside a transaction the row is durable when this
 * returns. */
int store_inbox_add(struct store *s, const char *name, const struct inbox_mail *m, struct err *e);

/* The mails that wait, of greater ids than that one. */
int store_inbox_next(struct store *s, int64_t id, size_t limit,
                     int (*fn)(const struct inbox_mail *m, void *arg), void *arg, struct err *e);

/* Waits until a mail has come since the last call, at most ms milliseconds.  1: perhaps one has; 0: the
 * time is over, or a signal came.  Where nobody tells of mails, it sleeps.  ERR_TEMP: the server is
 * lost. */
int store_inbox_wait(struct store *s, int ms, struct err *e);

/* 1: the mail waits still; 0: another machine has worked on it. */
int store_inbox_has(struct store *s, int64_t id, struct err *e);
/* The mail has had its effect. */
int store_inbox_done(struct store *s, int64_t id, struct err *e);

/* Counts the mails that wait and came at `since` or later, *oldest: when the first of them came, or 0. */
int store_inbox_size(struct store *s, int64_t since, int64_t *count, int64_t *oldest,
                     struct err *e);

/* A mail that was put aside; bytes is NULL, and len is the number of bytes that are kept. */
struct aside_mail {
	const char *name, *why;
	int64_t at;
	size_t len;
	bool proved; /* its sender has a proof */
};

/* Puts m aside at the time m->came. */
int store_aside_put(struct store *s, const char *name, const struct inbox_mail *m, const char *why,
                    struct err *e);
int store_aside_proved(struct store *s, const char *name, struct err *e);
/* The mails whose names are greater. */
int store_aside_list(struct store *s, const char *name, size_t limit,
                     int (*fn)(const struct aside_mail *m, void *arg), void *arg, struct err *e);
/* Counts them and their bytes. */
int store_aside_size(struct store *s, int64_t *count, int64_t *bytes, struct err *e);
/* *out: the bytes, on the heap.  ERR_NOT_FOUND. */
int store_aside_get(struct store *s, const char *name, char **out, size_t *len, struct err *e);
/* Within a transaction: the mail waits again; it is deleted. */
int store_aside_retry(struct store *s, const char *name, struct err *e);
int store_aside_drop(struct store *s, const char *name, struct err *e);

/* 1: this process has the role until it closes or yields the store, or ends in whatever way; 0: another
 * one has it. */
int store_role(struct store *s, const char *name, struct err *e);
