/* The page of a game's rules, short enough for a mail: aim, turn, end and notation. */
#ifndef PBM_COMMANDS_HELP_HELP_SHORT_H
#define PBM_COMMANDS_HELP_HELP_SHORT_H

#include "pbm/base/str.h"

#define HELP_SHORT_LINES 42 /* lines of the text, without the words below it */

/* The number of steps in which sections can be left out. */
size_t help_short_steps(void);

/* Appends the Markdown without its drawings and without the sections that the steps leave out,
 * by their titles on the English page, which has the same sections. */
void help_short(const char *md, const char *english, size_t steps, struct str *out);

#endif
