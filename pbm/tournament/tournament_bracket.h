/* The bracket of a knockout as lines of text, for mails and pages: an entrant's line has no
 * indent, the winner of a match stands between its two, further to the right. */
#pragma once

#include "pbm/base/mem.h"
#include "store/document/tournament.h"

#define BRACKET_ENTRANTS 16 /* of a bracket in a mail, at most: of its last rounds */

struct bracket_line {
	const char *text; /* "hugo", "      erna  1=" with the winner's marks, or "      ?" */
	int level;        /* matches that lead to it: 0 is an entrant */
	bool drawn;       /* the match was level, and a draw was enough for the winner */
};

/* The lines of the rounds that are paired, beginning with the first round that has at most so
 * many entrants.  Returns how many there are; 0: it is no knockout, or has not begun. */
size_t tournament_bracket(struct arena *a, const struct tournament_doc *t, size_t entrants,
                          const struct bracket_line **out);
