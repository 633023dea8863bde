/* The game in the examples of an answer: its reader should be able to copy them. */
#ifndef PBM_COMMANDS_EXAMPLE_GAME_H
#define PBM_COMMANDS_EXAMPLE_GAME_H

#include "pbm/request/request.h"

/* The name of the game that the sender began last; chess for everybody else. */
const char *example_game(struct request *q);

#endif
