/* What the files of the store share about the record of acts. */
#ifndef STORE_INSIDE_ACTS_H
#define STORE_INSIDE_ACTS_H

#include "store/acts.h"
#include "store/db/db.h"
#include "store/gather.h"

/* The paths of all files of acts that the database knows, each of ACTS_PATH_SIZE bytes, the
 * oldest first.  The caller releases out. */
int store_acts_paths(struct db *db, struct gathered *out, struct err *e);

/* Adds the bytes of the file itself to out.  ERR_SYSTEM; ERR_DAMAGED: it is missing, too. */
int store_acts_file(int dirfd, const char *path, struct str *out, struct err *e);

#endif
