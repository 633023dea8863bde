/* For backups. */
#pragma once

#include <stddef.h>

#include "store/store.h"

/* Writes the rows that no document has to a database at path, replacing a file there: the outbox,
 * seen marks, held commands, rates, work, silent addresses and audit.  Put beside a copy of the
 * documents, it is a site's pbm.db after store_reindex().  s must be outside a transaction, and open
 * for writing unless it is a server. */
int store_copy_queues(struct store *s, const char *path, struct err *e);

/* For a server, which has no files: the same, and its documents go to fn, all as they are at one
 * moment.  Keeps nobody from writing. */
typedef int store_copy_fn(const char *path, const char *bytes, size_t n, void *arg);
int store_copy_all(struct store *s, const char *path, store_copy_fn *fn, void *arg, struct err *e);
