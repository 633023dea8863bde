/* Addresses that earlier versions published, and those of names that lead to another player: their
 * pages become small pages that lead on.
 * Only for the files of this folder. */
#pragma once

#include "pbm/archive/pages/list_name.h"
#include "pbm/site/site.h"

/* Replaces the pages that a list had in the older layout, "player/alice.html",
 * "player/alice.7.html", "standings/suicide.html", where they exist. */
int old_pages_replace(struct site *site, const struct list_name *l, struct err *e);

/* Removes all pages of a player, of both layouts. */
int old_pages_remove_player(struct site *site, const char *key, struct err *e);

/* Writes a page for each old name of this player, whose pages exist. */
int moved_names_write(struct site *site, const char *key, struct err *e);

/* Writes the page of this name again, if it leads to a player with pages. */
int moved_name_restore(struct site *site, const char *key, struct err *e);
