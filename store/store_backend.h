/* The one place of the store that knows which database back-ends there are. */
#ifndef STORE_STORE_BACKEND_H
#define STORE_STORE_BACKEND_H

struct db_backend; /* store/db/db_backend.h */

/* The back-end of every site.  With a second one this becomes a look-up. */
const struct db_backend *store_backend(void);

#endif
