#include "pbm/archive/pages/rating_graph.h"

#include <inttypes.h>

#define WIDTH 600
#define HEIGHT 160
#define LEFT 44 /* room for the numbers */
#define EDGE 8
#define LINES 6 /* at most, at round numbers */

struct scale {
	int64_t low, high, step; /* low and high are multiples of step */
};

static struct scale scale_of(const int64_t *v, size_t n)
{
	static const int64_t steps[] = { 10, 20, 50, 100, 200, 500, 1000 };
	struct scale s = { v[0], v[0], 0 };
	size_t i = 0;

	for (size_t k = 1; k < n; k++) {
		s.low = v[k] < s.low ? v[k] : s.low;
		s.high = v[k] > s.high ? v[k] : s.high;
	}
	while (i + 1 < sizeof steps / sizeof *steps && (s.high - s.low) / steps[i] >= LINES - 1)
		i++;
	s.step = steps[i];
	s.low -= (s.low % s.step + s.step) % s.step;
	s.high += s.step - (s.high % s.step + s.step) % s.step;
	return s;
}

static int64_t height_of(const struct scale *s, int64_t rating)
{
	return HEIGHT - EDGE - (rating - s->low) * (HEIGHT - 2 * EDGE) / (s->high - s->low);
}

void rating_graph(const int64_t *ratings, size_t n, const char *label, struct str *out)
{
	struct scale s = scale_of(ratings, n);
	size_t steps = n > 1 ? n - 1 : 1;

	str_addf(out, "<svg class=\"graph\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
	         WIDTH, HEIGHT, label);
	for (int64_t at = s.low; at <= s.high; at += s.step) {
		int64_t y = height_of(&s, at);

		str_addf(out,
		         "<path class=\"grid\" d=\"M%d %" PRId64
		         "H%d\"/><text x=\"%d\" y=\"%" PRId64 "\">%" PRId64 "</text>",
		         LEFT, y, WIDTH - EDGE, LEFT - EDGE, y + 4, at);
	}
	str_add(out, "<polyline points=\"");
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%zu,%" PRId64, i ? " " : "",
		         LEFT + i * (WIDTH - LEFT - EDGE) / steps, height_of(&s, ratings[i]));
	str_add(out, "\"/></svg>");
}
