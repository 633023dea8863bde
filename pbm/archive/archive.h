/* The archive: static web pages of finished games, with PGN and JSON to download,
 * and lists of them by date, game and player. */
#ifndef PBM_ARCHIVE_ARCHIVE_H
#define PBM_ARCHIVE_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/site/site.h"

/* Writes the pages of all games that are marked in the store, then the lists that
 * those games are in, and removes the marks.  *count is the number of games.  The
 * store must be open for writing. */
int archive_publish(struct site *site, size_t *count, struct err *e);

/* Writes all pages and lists again, from the store: pbm archive. */
int archive_rebuild(struct site *site, size_t *count, struct err *e);

#endif
