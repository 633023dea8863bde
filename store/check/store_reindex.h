/* Makes pbm.db again from the documents. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

typedef void progress_fn(int64_t done, int64_t total, void *arg);

/* Makes the index, the sums and the next board number from the JSON files alone.  The
 * outbox, seen marks, held commands, rates, archive marks, silent addresses and audit of a readable old
 * pbm.db are kept; an unreadable one is moved to damaged/.  progress may be NULL.
 *
 * Returns how many damaged documents (and databases) were left out; *e names the first
 * one.  On failure it returns <0 and the old pbm.db stays as it was.  ERR_BUSY: another
 * process writes or reads. */
int store_reindex(const char *dir, progress_fn *progress, void *arg, struct err *e);

/* For fsck: the same for a store that has the lock and no open database.  *lost becomes
 * true when the old database could not be read. */
int store_rebuild(struct store *s, progress_fn *progress, void *arg, bool *lost, struct err *e);
