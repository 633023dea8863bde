/* Pages of names that lead to another player: they lead to that player's pages.  Only for the
 * files of this folder. */
#pragma once

#include "pbm/site/site.h"

/* Writes a page for each old name of this player, whose pages exist. */
int moved_names_write(struct site *site, const char *key, struct err *e);

/* Writes the page of this name again, if it leads to a player with pages. */
int moved_name_restore(struct site *site, const char *key, struct err *e);
