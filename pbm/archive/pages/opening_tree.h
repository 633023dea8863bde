/* Trees of openings: the turns that followed others in the site's finished games, how often, and
 * who won.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_PAGES_OPENING_TREE_H
#define PBM_ARCHIVE_PAGES_OPENING_TREE_H

#include <jansson.h>

#include "pbm/base/mem.h"
#include "pbm/site/site.h"

/* The tree after these turns, "" or "e3 b5".  Up to OPENING_LISTED plies it counts all games and each
 * turn leads to the page of its games; deeper it counts the newest ones (store_tallies.h).  *rc <0:
 * the store failed.  A branch is {"turn", "name", "n", "won", "lost", "drawn", "folder" (null: it has
 * no page), "any", "children"}. */
json_t *opening_tree(struct site *site, struct arena *a, const char *game, const char *turns,
                     int *rc, struct err *e);

#endif
