/* Games that a moderator gave another result, or none: the lists that they have left are
 * written again, and the pages of a game that no longer counts are removed.  All of it follows
 * from the game's events.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_WITHDRAWN_H
#define PBM_ARCHIVE_WITHDRAWN_H

#include "pbm/site/site.h"
#include "store/document.h"

/* Removes page, JSON and PGN of a game that is not finished any more. */
int withdrawn_remove(struct site *site, const struct game_doc *d, struct err *e);

/* Writes the lists again in which the game was with an earlier result.  Costs nothing for
 * a game that ended once. */
int withdrawn_lists(struct site *site, const struct game_doc *d, struct err *e);

#endif
