/* Databases of older versions: what version there is, and a chance to make a backup before the
 * store brings it to the present one. */
#pragma once

#include <stdint.h>

#include "store/store.h"

/* The version of dir's database, and the one that this program makes of it when it opens it
 * for writing.  ERR_NOT_FOUND, ERR_DAMAGED. */
int store_layout(const char *dir, int64_t *found, int64_t *known, struct err *e);

/* fn is called before a database of an older version is changed, with the lock taken and the
 * database in one file; when it fails, the store is not opened.  NULL: nothing is called. */
typedef int store_upgrade_fn(const char *dir, int64_t found, int64_t known, struct err *e);
void store_before_upgrade(store_upgrade_fn *fn);

/* For the files of the store, before they open a database for writing. */
int store_tell_upgrade(const struct store *s, struct err *e);
