/* The files below the site's directory: games/NNN/<board>.json,
 * players/<userid>.json and acts/YYYY-MM.jsonl.  Paths are relative to dirfd. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"

#define FILES_DIR_MODE 0700 /* games may be private, players have password hashes */
#define FILES_MODE 0600

/* Makes games/, players/, tournaments/ and acts/. */
int files_create(int dirfd, struct err *e);

/* Is there such a file or folder? */
bool files_has(int dirfd, const char *path);

/* Makes an empty file with FILES_MODE unless it exists.  SQLite itself would make a database
 * that everybody may read. */
int files_touch(int dirfd, const char *path, struct err *e);

/* Replaces the file; it is durable only after files_sync(). */
int files_write(int dirfd, const char *path, const char *bytes, size_t n, struct err *e);

/* Writes the bytes at this place of the file, and makes the file if it is missing.  A repetition
 * does no harm.  Durable as above. */
int files_write_at(int dirfd, const char *path, int64_t at, const char *bytes, size_t n,
                   struct err *e);

/* Makes everything that was written so far durable, in one system call. */
int files_sync(int dirfd, struct err *e);

/* Calls fn with the path of each file in dir ("games", "players") and in its directories down to
 * levels - 1 levels below, in natural order.  fn gets a deeper directory like a file.  A nonzero
 * result of fn stops the walk and is returned.  Only the names of one directory a level are in
 * memory. */
#define FILES_DOCUMENTS 2 /* levels: all documents are reached */
typedef int files_fn(const char *path, void *arg, struct err *e);
int files_walk(int dirfd, const char *dir, int levels, files_fn *fn, void *arg, struct err *e);

/* Moves path into damaged/, where '/' becomes '_' and a number is added if the name is
 * taken.  The new path is written to where, of FILES_ASIDE_MAX bytes. */
#define FILES_ASIDE_MAX 512
int files_set_aside(int dirfd, const char *path, char *where, struct err *e);
