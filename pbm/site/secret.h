/* The file "secret" of a site: the numbered keys that sign its reply tokens,
 * one a line ("2 HEX 2026-12-01T10:00:00Z"), newest last.  The newest signs;
 * what an older one signed stays good until that key is dropped. */
#ifndef PBM_SITE_SECRET_H
#define PBM_SITE_SECRET_H

#include "pbm/site/site.h"

#define SECRET_NUMBER_MAX 9999

/* Fills s->keys.  ERR_PERM when the file can be read by anybody but its owner:
 * whoever reads a key can speak for every player, so nothing is signed with it
 * until somebody has looked (mails wait meanwhile, nothing is lost).  ERR_BAD,
 * ERR_NOT_FOUND. */
int secret_read(struct site *s, struct err *e);

/* Makes the file of a new site, with one key. */
int secret_create(const char *dir, int64_t now, struct err *e);

/* These change the file, durably, and s->keys.  The store must be open for
 * writing: its lock keeps runs from signing with keys that go.
 * add: ERR_LIMIT when there are SITE_KEYS_MAX already.  drop: ERR_NOT_FOUND;
 * ERR_CONFLICT for the newest, which signs. */
int secret_add(struct site *s, int64_t now, struct err *e);
int secret_drop(struct site *s, int number, struct err *e);

#endif
