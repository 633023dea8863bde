/* Offers of games: accept and decline on a board that has not begun. */
#pragma once

#include "pbm/commands/words/command.h"

int cmd_lobby_accept(struct request *q, struct call *c, struct err *e);
int cmd_lobby_decline(struct request *q, struct call *c, struct err *e);

/* Withdraws a seek that nobody has taken, for its owner. */
int cmd_lobby_unseek(struct request *q, struct match *m, struct err *e);
