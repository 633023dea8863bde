/* The file "secret" of a site: the numbered keys that sign its reply tokens, one
 * on each line ("2 HEX 2026-12-01T10:00:00Z"), newest last.  The newest key signs.
 * Tokens that an older key signed stay valid until that key is dropped. */
#pragma once

#include "pbm/site/site.h"

#define SECRET_NUMBER_MAX 9999

/* Fills s->keys.  ERR_PERM when users other than the owner can read the file:
 * a person who has read a key can speak for every player, so no key is used until
 * the operator has looked.  Mails wait meanwhile, and none is lost.  ERR_BAD,
 * ERR_NOT_FOUND. */
int secret_read(struct site *s, struct err *e);

/* A sum of the keys in digits, by which others know the site. */
#define SECRET_SUM_SIZE 17
const char *secret_sum(const struct site *s, char out[SECRET_SUM_SIZE]);

/* Makes the file of a new site, if it is not there.  It contains one key. */
int secret_create(const char *dir, int64_t now, struct err *e);

/* Add a key, or drop one: both change the file, durably, and s->keys.  The store
 * must be open for writing; its lock keeps other runs from signing with a key
 * that is being dropped.  Errors of secret_add(): ERR_LIMIT when there are
 * SITE_KEYS_MAX keys.  Errors of secret_drop(): ERR_NOT_FOUND; ERR_CONFLICT for
 * the newest key, which signs. */
int secret_add(struct site *s, int64_t now, struct err *e);
int secret_drop(struct site *s, int number, struct err *e);
