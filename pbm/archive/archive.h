/* The archive: finished games as static pages for a browser, with PGN and JSON
 * to download, and indexes by date, game and player. */
#ifndef PBM_ARCHIVE_ARCHIVE_H
#define PBM_ARCHIVE_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/site/site.h"

/* Writes the pages of all games that are due, then the indexes they touch;
 * *count gets the number of games.  The store must be open for writing. */
int archive_publish(struct site *site, size_t *count, struct err *e);

/* Everything again, from the store: pbm archive. */
int archive_rebuild(struct site *site, size_t *count, struct err *e);

#endif
