/* A match of several games (-best-of): when one game has ended, the next one starts with
 * changed colours, until one side has more than half of the points. */
#pragma once

#include "pbm/request/request.h"

/* Starts the match's next game if m has just ended, and tells both players; or tells them how
 * the match ended: without a winner when m has no result, or when a player has left.  Does nothing for other games, and nothing a second time.  The caller puts
 * m into the store afterwards. */
int series_go_on(struct request *q, struct match *m, struct err *e);
