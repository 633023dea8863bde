/* Offers of games: what accept and decline do on a board that has not begun. */
#ifndef PBM_COMMANDS_CMD_LOBBY_H
#define PBM_COMMANDS_CMD_LOBBY_H

#include "pbm/commands/command.h"

int cmd_lobby_accept(struct request *q, struct call *c, struct err *e);
int cmd_lobby_decline(struct request *q, struct call *c, struct err *e);

/* The sender takes back a seek that nobody has taken. */
int cmd_lobby_unseek(struct request *q, struct match *m, struct err *e);

#endif
