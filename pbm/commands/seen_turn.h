/* A turn in the prose of a mail, as a hint for its writer. */
#pragma once

#include <stdint.h>

#include "pbm/request/request.h"

/* The only legal turn among the first words of the mail, "nice to meet you.  I play b7-b5."; NULL:
 * there is none, or more than one. */
const char *seen_turn_of(struct request *q, int64_t board);
