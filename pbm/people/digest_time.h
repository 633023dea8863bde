/* The time of a player's next digest or puzzle: at the hour of the setting "digest", in the timezone
 * of the setting "timezone".  Pure: time comes in as a number. */
#pragma once

#include <stdint.h>

#include "store/document/document.h"

/* The first such time that is later than `after` (Unix seconds); 0: the player wants none.
 * An hour that the clock change skips is the next one; of one that comes twice, the first. */
int64_t digest_time_next(const struct player_doc *p, int64_t after);
