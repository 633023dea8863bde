/* The pages that list the players, by the beginnings of their names.  "players/p.html" has all
 * players whose names begin with p, if one page holds them; else it leads to a page for each
 * longer beginning that some of them share.  So no page grows with the number of players, and a
 * new player changes only the few pages on the way to the name. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "pbm/archive/archive.h"
#include "pbm/site/site.h"

/* Writes the pages that can have changed, because the players whose folded userids are the
 * keys of `added` were not in the archive before.  If a page cannot be written, their
 * lists ("player:alice") are set in broken. */
void archive_players_write(struct site *site, json_t *added, json_t *broken,
                           struct archive_report *r);

/* Is there a file for the search with the names that begin with this letter? */
bool archive_players_known(struct site *site, const char *name);

/* Writes the names of the letter after *letter, and sets *letter to it; "" if there is none. */
int archive_players_again(struct site *site, char letter[2], struct archive_report *r,
                          struct err *e);

/* Appends {"letter", "url"} for each first letter to list. */
int archive_players_letters(struct site *site, json_t *list, struct err *e);
