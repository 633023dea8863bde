/* The game in the examples of an answer, so that the reader can copy them. */
#ifndef PBM_COMMANDS_WORDS_EXAMPLE_GAME_H
#define PBM_COMMANDS_WORDS_EXAMPLE_GAME_H

#include "pbm/request/request.h"

/* The game that the sender began last; chess for everybody else. */
const char *example_game(struct request *q);

#endif
