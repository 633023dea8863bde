/* "I want to play chess", "play chess": what members write who look for a game.  Knows words
 * only. */
#ifndef PBM_COMMANDS_WISH_H
#define PBM_COMMANDS_WISH_H

#include "pbm/base/mem.h"

/* The command that shows who seeks such a game, or any game: "sought chess".  NULL: the line is
 * no such wish. */
const char *wish_line(struct arena *a, const char *line);

#endif
