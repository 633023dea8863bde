/* The first page of a kind of game, besides its newest games.  Each part is a bounded number of
 * rows of an index.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_PAGES_KIND_PAGE_H
#define PBM_ARCHIVE_PAGES_KIND_PAGE_H

#include <jansson.h>

#include "pbm/site/site.h"

/* Adds to the context of archive/kind.html: "summary", "men" and "drawing" (how it begins), "all" (how its games ended), "places"
 * and "provisional" (the standings), "openings": a tree of up to four plies, [{"turn", "n",
 * "won", "drawn", "lost", "folder", "children": [...]}]. */
int kind_page_add(struct site *site, const char *game, json_t *c, struct err *e);

#endif
