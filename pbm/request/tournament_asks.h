/* The questions of tournaments that a player has not answered: invitations, and players who ask him
 * as their captain. */
#ifndef PBM_REQUEST_TOURNAMENT_ASKS_H
#define PBM_REQUEST_TOURNAMENT_ASKS_H

#include "pbm/request/request.h"

/* The commands that answer them, one a line below a sentence, for the mail's sender.  NULL: nothing
 * is asked, or the store failed. */
const char *tournament_asks(struct request *q);

#endif
