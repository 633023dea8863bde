/* Glicko-2, as Mark Glickman describes it in "Example of the Glicko-2 system".
 * All numbers are in rating points, not in the internal scale of that paper. */
#pragma once

#include <stddef.h>

#define GLICKO_RATING 1500.0
#define GLICKO_DEVIATION 350.0 /* a newcomer's, and the most there can be */
#define GLICKO_DEVIATION_MIN 45.0
#define GLICKO_VOLATILITY 0.06

struct glicko {
	double rating, deviation, volatility;
};
struct glicko_game {
	struct glicko opponent;
	double score; /* 1, 0.5, 0 */
};

/* The rating after n games of one period.  periods is the time since the rating
 * was last computed, in rating periods; it may be a fraction. */
struct glicko glicko_update(struct glicko self, const struct glicko_game *games, size_t n,
                            double periods);

/* The deviation after so many periods without a game. */
double glicko_after_pause(const struct glicko *g, double periods);

/* The average score, 0 to 1, that a would reach against b. */
double glicko_expect(const struct glicko *a, const struct glicko *b);
