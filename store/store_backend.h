/* The one place of the store that knows which database back-ends there are. */
#pragma once

#include <stddef.h>

#include "pbm/base/err.h"

struct db_backend; /* store/db/db_backend.h */

/* The back-end that store_use() named. */
const struct db_backend *store_backend(void);
/* That of files, whatever store_use() named. */
const struct db_backend *store_file_backend(void);
/* The URL; NULL: the file pbm.db in the store's folder. */
const char *store_backend_url(void);

/* The back-end of a URL.  ERR_BAD: it is none; ERR_AGAIN: another program has it. */
int store_find_backend(const char *url, const struct db_backend **out, struct err *e);

/* The name of this machine. */
void store_worker(char *name, size_t size);
