/* The pages that list finished games, by game, month and player, and the front
 * page. */
#ifndef PBM_ARCHIVE_LISTS_H
#define PBM_ARCHIVE_LISTS_H

#include <jansson.h>
#include <stdbool.h>

#include "pbm/archive/archive.h"
#include "pbm/site/site.h"
#include "store/document.h"

/* Adds a game that has ended to "lists", an object of the form {"game:suicide":
 * number of games added}. */
void archive_lists_add(json_t *lists, const struct game_doc *d);

/* Is one of the game's lists in the object? */
bool archive_lists_share(const json_t *lists, const struct game_doc *d);

/* Writes the front page and those pages of the lists that can have changed.  failed:
 * the number of games that are in the index, but could not be written.  A list that
 * cannot be written is counted in r and set in broken; "all" stands for the front
 * page. */
void archive_lists_write(struct site *site, json_t *lists, size_t failed, json_t *broken,
                         struct archive_report *r);

/* Writes all pages of all lists. */
void archive_lists_rebuild(struct site *site, struct archive_report *r);

#endif
