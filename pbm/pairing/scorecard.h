/* The pairing's knowledge of each player: points, colours, opponents. */
#pragma once

#include "pbm/pairing/pairing.h"

enum { COLOUR_BLACK = -1, COLOUR_WHITE = 1 };

struct scorecard {
	int points;
	int difference;      /* games with White less games with Black */
	int n;               /* games with a colour */
	signed char *colour; /* of each, the latest last */
	bool free_point;     /* a bye that was not asked for, or a forfeit win */
};
struct scorecards {
	int n;
	struct scorecard *v; /* by entry */
	bool *met;           /* n times n */
};

/* After the games of all rounds before this one. */
struct scorecards scorecard_before(const struct pairing *t, int round, struct arena *a);

bool scorecard_met(const struct scorecards *s, int x, int y);

/* The number of players who get a colour against the rules, 0 to 2, when White plays Black, and
 * when the colours are given as well as possible. */
int scorecard_breaches(const struct scorecard *white, const struct scorecard *black);
int scorecard_least_breaches(const struct scorecard *x, const struct scorecard *y);

/* Whether the higher of two has White; board counts from 0, lot is the tournament's. */
bool scorecard_higher_has_white(const struct scorecard *higher, const struct scorecard *lower,
                                int board, uint32_t lot);
