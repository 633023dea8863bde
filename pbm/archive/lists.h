/* The pages that list finished games.  A list is cut into pages of fifty games, numbered from
 * the oldest games: so a game that ends changes only the newest page, "index.html" of the list's
 * folder, which has the newest two pages; "7.html" is a page that no longer changes.  The newest
 * page of a player or of a kind of game has more than games.  Only for the files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/archive/archive.h"
#include "pbm/archive/pages/list_name.h"
#include "pbm/archive/pages/list_parts.h"

/* Writes those pages of a list that can have changed because these games are new in it, and
 * those with a game that has changed; due NULL: all pages.  failed: games that may be new in the
 * list, too, but could not be published.  Replaces pages of the older layout by small pages that
 * lead to the list. */
int list_pages_write(struct site *site, const char *name, const struct list_due *due, size_t failed,
                     struct err *e);

/* Writes pages of a list again, from the newest to the oldest, but at most *room, which is
 * reduced and is not 0: all of them with *below INT64_MAX, else the numbered ones below it.  *below
 * becomes the number of the last one; 0: all have been written. */
int list_pages_again(struct site *site, const char *name, int64_t *below, size_t *room,
                     struct err *e);

/* Appends a game to a JSON list, for archive/rows.html. */
void list_add_row(json_t *rows, const struct game_row *row);
