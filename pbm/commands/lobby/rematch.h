/* Finds an open offer of a rematch: a second one is not made, and the other player's "rematch"
 * as its answer accepts it. */
#pragma once

#include "pbm/commands/words/command.h"

/* Is m an open offer of a rematch? */
bool rematch_is_offer(struct request *q, const struct match *m);

/* The open offer of a rematch of the call's game.  1: *out is it; 0: there is none. */
int rematch_find(struct request *q, const struct call *c, struct match **out, struct err *e);

/* Tells the sender that the offer m is still open. */
void rematch_refuse(struct request *q, const struct call *c, const struct match *m);
