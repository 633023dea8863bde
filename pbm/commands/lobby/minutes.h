/* Times that are no days, as players of FICS or lichess write them: "5 0", "10+5", "15 min", "3". */
#pragma once

#include "pbm/commands/words/command.h"

/* Is there such a time at word i of the call?  If so, says that games are played in days, and
 * shows the nearest line that is right. */
bool minutes_refused(struct request *q, const struct call *c, size_t i);

/* Is word i of the call an operator of a formula?  "3 < days" has no clock. */
bool minutes_is_operator(const struct call *c, size_t i);
