/* Backups: one archive file with a site's settings, secret, documents and the queues of
 * pbm.db.  It leaves out the web archive and the index, which can be made from the
 * documents, and the Maildirs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* Writes the archive; the ending of path (.tar, .tar.gz, .tar.xz, .tar.zst) names its
 * format.  The site may be at work: everything is read without the write lock first.
 * Then lock() takes the lock, which the site keeps, and what has changed since is read
 * again.  Of a server everything is read as it is at one moment, without a lock.  The last member is the manifest.  *count: files in the archive. */
int backup_write(struct site *site, int (*lock)(struct site *site, struct err *e), const char *path,
                 size_t *count, struct err *e);

/* The same of a folder in which nobody else writes, with pbm.db as it is, of whatever version. */
int backup_write_still(const char *dir, const char *path, size_t *count, struct err *e);

/* Reads the whole archive and compares it with its manifest.  ERR_DAMAGED: it is not what
 * backup_write() wrote, or it has no manifest; ERR_BAD: it has something that no site has.
 * *count: files in the archive. */
int backup_verify(const char *path, size_t *count, struct err *e);

/* Makes a site again in dir, which must be empty or missing.  Writes nothing unless
 * backup_verify() finds the archive whole; unlisted_is_fine allows an archive without a
 * manifest, of an older version of pbm.  *left_out: how many documents are damaged; e
 * names the first.  *was_server: its documents were those of a server; the new site has them as
 * files. */
int backup_restore(const char *path, const char *dir, bool unlisted_is_fine, int *left_out,
                   bool *was_server, struct err *e);
