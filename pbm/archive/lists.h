/* Pages that list games: by game, month and player, and the front page. */
#ifndef PBM_ARCHIVE_LISTS_H
#define PBM_ARCHIVE_LISTS_H

#include <jansson.h>

#include "pbm/site/site.h"
#include "store/document.h"

/* The lists that games are in, in an object {"game:suicide": games added}.  add:
 * one game that has ended; write: the pages that can have changed by all that
 * were added, or failed to be and are in the index, and the front page. */
void archive_lists_add(json_t *lists, const struct game_doc *d);

int archive_lists_write(struct site *site, json_t *lists, size_t failed, struct err *e);

/* All pages of all lists. */
int archive_lists_rebuild(struct site *site, struct err *e);

#endif
