/* "1. e4 e5" of Black: a line that repeats the turn just played in front of the answer, as a score
 * sheet has them.  Plays nothing. */
#ifndef PBM_COMMANDS_PLAY_REPEATED_H
#define PBM_COMMANDS_PLAY_REPEATED_H

#include "pbm/record/match.h"

/* Returns the text after the repeated turn, if its number and the turn are exactly those of the last
 * ply; else the line itself. */
const char *repeated_skip(const struct match *m, const char *line);

/* Are these n bytes the turn that was played last? */
bool repeated_is_last(const struct match *m, const char *text, size_t n);

#endif
