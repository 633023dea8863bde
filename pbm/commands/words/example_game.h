/* The game in the examples of an answer, so that the reader can copy them. */
#pragma once

#include "pbm/request/request.h"

/* The game that the sender began last; chess for everybody else. */
const char *example_game(struct request *q);
