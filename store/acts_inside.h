/* Declarations for the record of acts, for the files of the store alone. */
#ifndef STORE_ACTS_INSIDE_H
#define STORE_ACTS_INSIDE_H

#include "store/db/db.h"
#include "store/db/gather.h"
#include "store/document/acts.h"

/* The paths of all files of acts that the database knows, each of ACTS_PATH_SIZE bytes, the
 * oldest first.  The caller releases out. */
int store_acts_paths(struct db *db, struct gathered *out, struct err *e);

/* The sum of a file of acts: the first bytes of its last line's hash, which depends on all lines
 * before it. */
int64_t store_acts_sum(const char *bytes, size_t n);

/* Is that the sum of the file?  An earlier version noted the sum of a document's bytes. */
bool store_acts_have_sum(const char *bytes, size_t n, int64_t sum);

/* Adds the complete last line of the file to out, and lines before it; *size: of the file.
 * Errors as below. */
int store_acts_tail(int dirfd, const char *path, struct str *out, int64_t *size, struct err *e);

/* Adds the file's bytes to out.  ERR_SYSTEM; ERR_DAMAGED: the file is missing, too. */
int store_acts_file(int dirfd, const char *path, struct str *out, struct err *e);

#endif
