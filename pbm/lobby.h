/* Offers of games: what accept and decline do on a board that has not begun. */
#ifndef PBM_LOBBY_H
#define PBM_LOBBY_H

#include "pbm/command.h"

int lobby_accept(struct request *q, struct call *c, struct err *e);
int lobby_decline(struct request *q, struct call *c, struct err *e);

#endif
