/* Glicko-2, as Mark Glickman describes it in "Example of the Glicko-2 system".
 * Numbers of people: points, not the system's inner scale. */
#ifndef PBM_RECORD_GLICKO_H
#define PBM_RECORD_GLICKO_H

#include <stddef.h>

#define GLICKO_RATING 1500.0
#define GLICKO_DEVIATION 350.0 /* of a newcomer, and never more */
#define GLICKO_DEVIATION_MIN 45.0
#define GLICKO_VOLATILITY 0.06

struct glicko {
	double rating, deviation, volatility;
};
struct glicko_game {
	struct glicko opponent;
	double score; /* 1, 0.5, 0 */
};

/* The rating after n games of one period; periods is how many have gone by
 * since the rating was last reckoned, fractions too. */
struct glicko glicko_update(struct glicko self, const struct glicko_game *games, size_t n,
                            double periods);

/* The deviation after a pause. */
double glicko_after_pause(const struct glicko *g, double periods);

/* What a would score on average against b, 0 to 1. */
double glicko_expect(const struct glicko *a, const struct glicko *b);

#endif
