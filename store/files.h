/* The documents' files below the site's directory: games/NNN/<board>.json and
 * players/<userid>.json.  Paths are relative to dirfd. */
#ifndef STORE_FILES_H
#define STORE_FILES_H

#include <stddef.h>

#include "pbm/base/err.h"

#define FILES_DIR_MODE 0700 /* games may be private, players have hashes */
#define FILES_MODE 0600

/* games/ and players/. */
int files_create(int dirfd, struct err *e);

/* Makes an empty file with FILES_MODE unless there is one: SQLite would make a
 * database that everybody may read. */
int files_touch(int dirfd, const char *path, struct err *e);

/* Replaces the file; on the disk only after files_sync(). */
int files_write(int dirfd, const char *path, const char *bytes, size_t n, struct err *e);

/* Everything written so far is durable: one system call, however much it was. */
int files_sync(int dirfd, struct err *e);

/* Calls fn with the path of each file in dir ("games", "players") and levels - 1
 * levels of directories below, in natural order, and of each directory at the last
 * level; nonzero stops and is returned.  Memory grows with the names of one
 * directory alone. */
#define FILES_DOCUMENTS 2 /* the levels that documents are at */
typedef int files_fn(const char *path, void *arg, struct err *e);
int files_walk(int dirfd, const char *dir, int levels, files_fn *fn, void *arg, struct err *e);

/* Moves path into damaged/, beside whatever is there already, '/' becoming
 * '_'.  where, of FILES_ASIDE_MAX bytes, tells the new path. */
#define FILES_ASIDE_MAX 512
int files_set_aside(int dirfd, const char *path, char *where, struct err *e);

#endif
