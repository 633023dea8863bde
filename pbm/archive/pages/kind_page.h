/* The first page of a kind of game, besides its newest games.  Each part is a bounded number of
 * rows of an index.  Only for the files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/site/site.h"

/* Adds to the context of archive/kind.html: "summary", "men" and "drawing" (how it begins), "all" (how its games ended), "places"
 * and "provisional" (the standings), "openings": a tree of up to four plies, [{"turn", "n",
 * "won", "drawn", "lost", "folder", "children": [...]}]. */
int kind_page_add(struct site *site, const char *game, json_t *c, struct err *e);

/* The tree after these turns, "" or "e3 b5".  Up to OPENING_LISTED plies it counts all games and each
 * turn leads to the page of its games; deeper it counts the newest ones (store_tallies.h).  *rc <0:
 * the store failed.  A branch is {"turn", "name", "n", "won", "lost", "drawn", "folder" (null: it has
 * no page), "any", "children"}. */
json_t *kind_page_openings(struct site *site, struct arena *a, const char *game, const char *turns,
                           int *rc, struct err *e);
