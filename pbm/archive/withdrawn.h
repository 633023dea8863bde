/* Corrects the archive when a moderator gives a game another result, or none: writes the lists
 * that it has left again, and removes the pages of a game that no longer counts.  The game's
 * events tell these lists.  Only for the files of this folder. */
#pragma once

#include "pbm/site/site.h"
#include "store/document/document.h"

/* Removes page, JSON and PGN of a game that is not finished any more. */
int withdrawn_remove(struct site *site, const struct game_doc *d, struct err *e);

/* Writes the lists again that had the game with an earlier result; nothing for a game that ended
 * once. */
int withdrawn_lists(struct site *site, const struct game_doc *d, struct err *e);
