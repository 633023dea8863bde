/* One archive file with everything that a site is: settings, secret, documents,
 * the queues of pbm.db.  Not in it: the web archive and the index, which are
 * made from the documents, and the Maildirs. */
#ifndef PBM_PROGRAM_BACKUP_H
#define PBM_PROGRAM_BACKUP_H

#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* Writes the archive; the ending of path says how (.tar, .tar.gz, .tar.zst).
 * The site may be at work: documents are read beside it, and only what changed
 * meanwhile is read once more under the write lock, which open() gets and the
 * caller's site holds afterwards.  *count: files in the archive. */
int backup_write(struct site *site, int (*lock)(struct site *site, struct err *e), const char *path,
                 size_t *count, struct err *e);

/* Makes dir, which must be empty or missing, a site again.  *left_out: damaged
 * documents, the first one named in e. */
int backup_restore(const char *path, const char *dir, int *left_out, struct err *e);

#endif
