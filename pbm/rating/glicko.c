#include "pbm/rating/glicko.h"

#include <math.h>

#define SCALE 173.7178
#define TAU 0.5 /* how fast the volatility may change */
#define EPSILON 0.000001
#define ROUNDS 100 /* the search needs fewer than 20 */

static double weight(double phi)
{
	return 1 / sqrt(1 + 3 * phi * phi / (M_PI * M_PI));
}

static double expected(double mu, double mu_other, double phi_other)
{
	return 1 / (1 + exp(-weight(phi_other) * (mu - mu_other)));
}

/* Step 5 of the paper: find the root of f by the Illinois algorithm (a regula
 * falsi). */
struct search {
	double delta2, phi2, v, a;
};

static double f(const struct search *s, double x)
{
	double ex = exp(x), d = s->phi2 + s->v + ex;

	return ex * (s->delta2 - d) / (2 * d * d) - (x - s->a) / (TAU * TAU);
}

static double new_volatility(double sigma, double delta, double phi, double v)
{
	struct search s = { delta * delta, phi * phi, v, log(sigma * sigma) };
	double a = s.a, b = log(s.delta2 - s.phi2 - v);

	if (!(s.delta2 > s.phi2 + v))
		for (b = a - TAU; f(&s, b) < 0;)
			b -= TAU;
	double fa = f(&s, a), fb = f(&s, b);
	for (int i = 0; i < ROUNDS && fabs(b - a) > EPSILON; i++) {
		double c = a + (a - b) * fa / (fb - fa), fc = f(&s, c);

		if (fc * fb <= 0) {
			a = b;
			fa = fb;
		} else {
			fa /= 2;
		}
		b = c;
		fb = fc;
	}
	return exp(a / 2);
}

static double bounded(double x, double least, double most)
{
	return x < least ? least : x > most ? most : x;
}

double glicko_after_pause(const struct glicko *g, double periods)
{
	double phi = g->deviation / SCALE;

	phi = sqrt(phi * phi + (periods > 0 ? periods : 0) * g->volatility * g->volatility);
	return bounded(phi * SCALE, GLICKO_DEVIATION_MIN, GLICKO_DEVIATION);
}

double glicko_expect(const struct glicko *a, const struct glicko *b)
{
	double both = hypot(a->deviation, b->deviation) / SCALE;

	return expected((a->rating - GLICKO_RATING) / SCALE, (b->rating - GLICKO_RATING) / SCALE,
	                both);
}

struct glicko glicko_update(struct glicko self, const struct glicko_game *games, size_t n,
                            double periods)
{
	double mu = (self.rating - GLICKO_RATING) / SCALE, phi = self.deviation / SCALE;
	double information = 0, gain = 0;

	for (size_t i = 0; i < n; i++) {
		double phi_other = games[i].opponent.deviation / SCALE, g = weight(phi_other);
		double e = expected(mu, (games[i].opponent.rating - GLICKO_RATING) / SCALE,
		                    phi_other);

		information += g * g * e * (1 - e);
		gain += g * (games[i].score - e);
	}
	if (n == 0 || !(information > 0)) {
		self.deviation = glicko_after_pause(&self, periods);
		return self;
	}
	self.volatility = new_volatility(self.volatility, gain / information, phi, 1 / information);
	phi = glicko_after_pause(&self, periods) / SCALE;
	phi = 1 / sqrt(1 / (phi * phi) + information);
	self.rating = bounded((mu + phi * phi * gain) * SCALE + GLICKO_RATING, 100, 5000);
	self.deviation = bounded(phi * SCALE, GLICKO_DEVIATION_MIN, GLICKO_DEVIATION);
	return self;
}
