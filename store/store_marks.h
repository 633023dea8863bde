/* Small things that the server remembers from mail to mail and from run to run: which
 * mails it has seen, how often something happened, which archive pages are out of
 * date, and single numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

/* Seen marks: the keys of mails that took effect (the Message-ID with its proved
 * sender, the SHA-256 of the raw mail).  1: seen; 0: not. */
int store_seen(struct store *s, const char *key, struct err *e);
/* 1: one of the two is seen. */
int store_seen_either(struct store *s, const char *key, const char *other, struct err *e);
int store_seen_add(struct store *s, const char *key, int64_t at, struct err *e);
/* Deletes the marks of all keys that begin with prefix, which ends with a character below
 * 127. */
int store_seen_forget(struct store *s, const char *prefix, struct err *e);
/* Deletes at most limit marks that are older than `before`. */
int store_seen_expire(struct store *s, int64_t before, size_t limit, struct err *e);

/* Addresses that get no more mail, as hashes (pbm/people/opted_out.h).  1: it is one; 0: it is not. */
int store_silent(struct store *s, const char *hash, struct err *e);
int store_silent_add(struct store *s, const char *hash, int64_t at, struct err *e);
int store_silent_drop(struct store *s, const char *hash, struct err *e);

struct store_value {
	const char *name;
	int64_t *value;
};

/* Counts one event under key.  *count is the number of events in the running window,
 * this one included.  The first event starts a window of so many seconds;
 * one that a wrong clock began in the future is forgotten. */
int store_rate(struct store *s, const char *key, int64_t now, int64_t window, int64_t *count,
               struct err *e);
/* The same under several different keys, at most STORE_RATES_MAX, whose windows have one length. */
#define STORE_RATES_MAX 3
int store_rates(struct store *s, size_t n, const struct store_value *keys, int64_t now,
                int64_t window, struct err *e);
/* Forgets the windows that are over. */
int store_rates_expire(struct store *s, int64_t now, struct err *e);
/* Forgets the events of all keys that begin with prefix, which ends with a character
 * below 127. */
int store_rate_forget(struct store *s, const char *prefix, struct err *e);

/* The count under key, without an event; 0: no window is running. */
int store_rate_get(struct store *s, const char *key, int64_t now, int64_t *count, struct err *e);

/* When the running window of key ends; 0: none is running. */
int store_rate_ends(struct store *s, const char *key, int64_t now, int64_t *ends, struct err *e);

/* Takes back one event of the running window. */
int store_rate_take_back(struct store *s, const char *key, int64_t now, struct err *e);

/* Are there games for store_archive_renew()? */
int store_archive_is_old(struct store *s, bool *any, struct err *e);

/* Finished games whose index rows an earlier version made: indexes at most limit of them again,
 * and, if mark, marks them for the archive.  *n: their number; the row of a damaged document
 * stays empty.  Needs a transaction if there is one. */
int store_archive_renew(struct store *s, size_t limit, bool mark, size_t *n, struct err *e);

/* Numbers with a name; 0 until they are set.  A reindex and a backup keep only those
 * whose names begin with "clock-". */
int store_value(struct store *s, const char *name, int64_t *out, struct err *e);
/* Several with one question, at most STORE_VALUES_MAX. */
#define STORE_VALUES_MAX 8
int store_values(struct store *s, size_t n, const struct store_value *values, struct err *e);
/* 1: there are values whose names begin with prefix, a constant.  While there are none, a transaction
 * asks the database once. */
int store_has_values(struct store *s, const char *prefix, struct err *e);
int store_value_set(struct store *s, const char *name, int64_t value, struct err *e);
int store_value_drop(struct store *s, const char *name, struct err *e);
/* The name of a value that each of the machines which share a store has of its own; written to buf,
 * which is returned. */
#define STORE_OWN_NAME_SIZE 320
const char *store_own_name(const struct store *s, const char *name, char buf[STORE_OWN_NAME_SIZE]);
