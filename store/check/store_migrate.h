/* Moves a site's store to another back-end. */
#pragma once

#include "store/check/store_reindex.h"

/* Is called when the new store is complete and durable, while nobody can write to the old one:
 * makes the site use the new one. */
typedef int migrate_fn(void *arg, struct err *e);

struct migration {
	const char *dir, *url; /* "sqlite:" is the folder itself */
	progress_fn *progress; /* may be NULL */
	migrate_fn *use;
	void *arg; /* of both */
};

/* Copies every document, byte for byte, and every row that no document has; each document must be
 * what was stored.  Keeps others from writing meanwhile.  The old store stays as it is.  When it is
 * cut off, it can be started again.  *count: documents.
 *
 * ERR_CONFLICT: the new store has documents already; ERR_DAMAGED: the old one needs fsck. */
int store_migrate(const struct migration *m, int64_t *count, struct err *e);
