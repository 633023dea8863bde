/* Makes the database again from the documents, for the store itself. */
#ifndef STORE_STORE_REINDEX_H
#define STORE_STORE_REINDEX_H

#include "store/store.h"

/* store_reindex() for a store that has the lock and no open database.  *lost
 * becomes true when the old database could not be read. */
int store_rebuild(struct store *s, progress_fn *progress, void *arg, bool *lost, struct err *e);

#endif
