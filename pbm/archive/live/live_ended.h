/* The live pages of games that have ended: they lead to the game's page in the archive, and
 * are removed after two weeks.  "live-gone" in the store is the time up to which the games have
 * ended whose pages are gone.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_LIVE_LIVE_ENDED_H
#define PBM_ARCHIVE_LIVE_LIVE_ENDED_H

#include <jansson.h>

#include "pbm/site/site.h"

/* Once a day: removes the pages that are old enough. */
int live_ended_remove(struct site *site, struct err *e);

/* Adds the folders of the other pages to an object. */
int live_ended_keep(struct site *site, json_t *folders, struct err *e);

#endif
