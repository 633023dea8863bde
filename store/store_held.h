/* Commands that are held until their sender confirms them. */
#pragma once

#include <stdint.h>

#include "pbm/base/mem.h"
#include "store/store.h"

struct held_command {
	const char *id;      /* cannot be guessed; the token in the question names it */
	const char *userid;  /* the player whose authority the command needs; "": a sign-up */
	const char *address; /* the address to which the question was sent */
	const char *text;    /* the plan, as JSON or command lines */
	int64_t expires;     /* Unix seconds */
};

/* Replaces a command with the same id.  ERR_BAD, ERR_LIMIT. */
int store_held_put(struct store *s, const struct held_command *h, struct err *e);
/* ERR_NOT_FOUND. */
int store_held_get(struct store *s, struct arena *a, const char *id, struct held_command *out,
                   struct err *e);
int store_held_delete(struct store *s, const char *id, struct err *e);
/* All held commands of a player, until fn returns something else than 0; fn may change them. */
typedef int held_fn(const struct held_command *h, void *arg);
int store_held_of(struct store *s, const char *userid, held_fn *fn, void *arg, struct err *e);
/* Deletes the commands that expire at or before now. */
int store_held_expire(struct store *s, int64_t now, struct err *e);
