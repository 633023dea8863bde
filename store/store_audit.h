/* The audit table: refused proofs of identity, for a person to look at. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

#define AUDIT_MAX 20000 /* rows; older ones are deleted */

struct audit_row {
	int64_t id;         /* given by the store, rising */
	int64_t at;         /* Unix seconds */
	const char *reason; /* a word */
	const char *sender; /* From, which may be forged */
	const char *player; /* the userid it was about, or NULL */
	const char *what;   /* never a secret; or NULL */
	const char *cause;  /* the mail's name */
};
typedef int audit_fn(const struct audit_row *row, void *arg);

/* Texts longer than 400 bytes are cut. */
int store_audit_add(struct store *s, const struct audit_row *row, struct err *e);
/* Rows with greater ids than `after` (0: all), oldest first. */
int store_audit(struct store *s, int64_t after, size_t limit, audit_fn *fn, void *arg,
                struct err *e);
