/* Names of players that lead on to others: their pages do so, too.  Only for the files of this
 * folder. */
#ifndef PBM_ARCHIVE_MOVED_NAMES_H
#define PBM_ARCHIVE_MOVED_NAMES_H

#include "pbm/site/site.h"

/* Writes a page for each name that leads on to this player, whose pages exist. */
int moved_names_write(struct site *site, const char *key, struct err *e);

/* Writes the page of this name again, if it leads on to a player with pages. */
int moved_name_restore(struct site *site, const char *key, struct err *e);

#endif
