/* Documents as files below the site's folder, the record of acts among them.  A commit has their
 * new bytes as rows of table `pending`, and doc_settle() writes these to the files; so the newest
 * bytes of a document are those of its file with its pending rows after them.  A database that
 * several machines share has no files: there the rows stay, and are the document.  For the files
 * of the store alone. */
#pragma once

#include "store/db/gather.h"
#include "store/document/acts.h"
#include "store/document/files.h"
#include "store/store_inside.h"

/* Reads the newest bytes into out, which is empty.  ERR_NOT_FOUND; ERR_DAMAGED: they are not those
 * that were stored; then out has them all the same. */
int doc_get(struct store *s, const char *path, struct str *out, struct err *e);

/* Puts a document's bytes into the transaction: after the first `at` bytes of the file, which stay,
 * or as the whole file.  A light transaction may not: the file would be on the disk before the
 * commit. */
#define DOC_WHOLE (-1)
int doc_put(struct store *s, const char *path, const struct str *bytes, int64_t at, struct err *e);

/* Writes every pending row to its file; outside a transaction.  The rows stay until the files
 * are flushed: the next transaction flushes them, unless it was done already, and deletes the
 * rows. */
int doc_settle(struct store *s, struct err *e);
/* Flushes those files. */
int doc_flush(struct store *s, struct err *e);
/* Deletes the settled rows in a transaction of their own. */
int doc_forget(struct store *s, struct err *e);

/* The sum of a document's bytes, and whether bytes have it.  That of a file of acts is the first
 * bytes of its last line's hash, which depends on all lines before it; an earlier version noted the
 * sum of all bytes, as of other documents. */
int64_t doc_sum(const char *path, const char *bytes, size_t n);
bool doc_has_sum(const char *path, const char *bytes, size_t n, int64_t sum);

/* Reads the bytes of the file alone into out, which is empty; where documents are rows, those of the
 * rows.  ERR_NOT_FOUND, ERR_DAMAGED, ERR_SYSTEM. */
int doc_file(struct store *s, const char *path, struct str *out, struct err *e);
/* 1: there is such a file, or such rows; 0: there is not. */
int doc_has(struct store *s, const char *path, struct err *e);
/* Calls fn with the path of each file, or of each document of rows, in a folder: "acts", "games", "players",
 * "tournaments".  A nonzero result of fn stops the walk and is returned. */
int doc_walk(struct store *s, const char *folder, files_fn *fn, void *arg, struct err *e);
/* The same of games, players and tournaments. */
int doc_walk_all(struct store *s, files_fn *fn, void *arg, struct err *e);
/* Adds its complete last line to out, and lines before it; *size: of the file. */
int doc_tail(int dirfd, const char *path, struct str *out, int64_t *size, struct err *e);

/* The paths of all files of acts that the database knows, each of ACTS_PATH_SIZE bytes, the
 * oldest first.  The caller releases out. */
int doc_acts_paths(struct db *db, struct gathered *out, struct err *e);
