/* Changes one setting of a player, in the store and in the request. */
#ifndef PBM_PEOPLE_PLAYER_CHANGE_H
#define PBM_PEOPLE_PLAYER_CHANGE_H

#include "pbm/request/request.h"

/* Stores *p with the setting changed; value NULL or "" removes it.  Both must live as long as
 * the request.  If p is the sender, q->who.player follows.  *p itself is changed, too. */
int player_change(struct request *q, struct player_doc *p, const char *name, const char *value,
                  struct err *e);

#endif
