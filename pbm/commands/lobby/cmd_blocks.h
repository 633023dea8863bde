/* Words about offers in general: accept game, reject game. */
#pragma once

#include "pbm/commands/words/command.h"

/* The game of "accept suicide"; NULL: there is none, or it is "accept off suicide". */
const struct rules *cmd_blocks_game(const struct call *c);

/* "accept suicide", "accept off suicide": begins or ends to accept every offer of this kind;
 * reject does the same for rejecting. */
int cmd_blocks_accept(struct request *q, struct call *c, struct err *e);
int cmd_blocks_reject(struct request *q, struct call *c, struct err *e);
