/* What a text that is no legal turn may have meant. */
#include <ctype.h>
#include <string.h>

#include "games/notation.h"

#define WORD_MAX 31

unsigned text_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned row[WORD_MAX + 1];

	a_len = a_len > WORD_MAX ? WORD_MAX : a_len;
	b_len = b_len > WORD_MAX ? WORD_MAX : b_len;
	for (unsigned j = 0; j <= b_len; j++)
		row[j] = j;
	for (unsigned i = 1; i <= a_len; i++) {
		unsigned corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
			unsigned best = corner + !same;

			corner = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[b_len];
}

/* The nearer of the turn's two notations. */
static unsigned turn_distance(const struct game *g, const struct pos *p,
                              const struct moves *legal, const struct move *m,
                              const char *typed, size_t len)
{
	char san_buf[32], uci_buf[32];
	struct str san = STR_FIXED(san_buf), uci = STR_FIXED(uci_buf);

	san_write_turn(g, p, legal, m, &san);
	game_write_uci(g, p, m, &uci);

	unsigned by_san = text_distance(typed, len, san.data, san.len);
	unsigned by_uci = text_distance(typed, len, uci.data, uci.len);

	return by_san < by_uci ? by_san : by_uci;
}

#define NEAREST_MAX 16

size_t game_nearest(const struct game *g, const struct pos *p, const char *typed,
                    size_t len, struct move *out, size_t n)
{
	unsigned distance[NEAREST_MAX];
	size_t found = 0;
	struct moves legal;

	if (n > NEAREST_MAX)
		n = NEAREST_MAX;
	game_legal(g, p, &legal);
	for (size_t i = 0; n && i < legal.n; i++) {
		unsigned d = turn_distance(g, p, &legal, &legal.v[i], typed, len);
		size_t at = found;

		if (found == n && d >= distance[n - 1])
			continue;
		if (found == n)
			at = n - 1;
		else
			found++;
		for (; at > 0 && distance[at - 1] > d; at--) {
			distance[at] = distance[at - 1];
			out[at] = out[at - 1];
		}
		distance[at] = d;
		out[at] = legal.v[i];
	}
	return found;
}
