/* For backups: a copy of the rows that no document has. */
#ifndef STORE_STORE_COPY_H
#define STORE_STORE_COPY_H

#include "store/store.h"

/* Writes the outbox, seen marks, held commands, rates, archive marks, silent addresses and audit to a
 * database at path, replacing a file there.  Put beside a copy of the documents, it is
 * a site's pbm.db after store_reindex().  s must be open for writing, outside a
 * transaction. */
int store_copy_queues(struct store *s, const char *path, struct err *e);

#endif
