/* The legal turns that look most like a text that is none. */
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/notation/notation_san.h"
#include "pbm/base/distance.h"

#define OTHER_MAN 2  /* another man moves */
#define OTHER_PART 8 /* the second part of the turn is another one than that which was typed */

/* The length of the turn's first part, which a comma ends, or the last blank if there is none. */
static size_t first_part(const char *text, size_t len)
{
	const char *end = memchr(text, ',', len);

	for (size_t i = len; !end && i > 0; i--)
		if (text[i - 1] == ' ')
			end = text + i - 1;
	return end ? (size_t)(end - text) : len;
}

/* For a turn in parts: the part after the comma is kept as it was typed, then the man. */
static size_t parts_distance(const char *typed, size_t len, const struct str *san)
{
	size_t n = first_part(typed, len), k = first_part(san->data, san->len);
	size_t d = word_distance(typed, n, san->data, k);

	d += n && k && typed[0] != san->data[0] ? OTHER_MAN : 0;
	if (n == len)
		return d;
	do
		n++;
	while (n < len && typed[n] == ' ');
	bool same = len - n >= 2 && strncmp(typed + n, san->data + k + 1, 2) == 0;
	return d + (same ? 0 : OTHER_PART);
}

/* The nearer of the turn's two notations. */
static size_t turn_distance(const struct game *g, const struct pos *p, const struct moves *legal,
                            const struct move *m, const char *typed, size_t len)
{
	struct str san = STR_LOCAL(32), uci = STR_LOCAL(32);

	notation_write_turn(g, p, legal, m, &san);
	game_write_uci(g, p, m, &uci);

	if (first_part(san.data, san.len) < san.len)
		return parts_distance(typed, len, &san);
	size_t by_san = word_distance(typed, len, san.data, san.len);
	size_t by_uci = word_distance(typed, len, uci.data, uci.len);

	return by_san < by_uci ? by_san : by_uci;
}

#define NEAREST_MAX 16

size_t game_nearest(const struct game *g, const struct pos *p, const char *typed, size_t len,
                    struct move *out, size_t n)
{
	size_t distance[NEAREST_MAX];
	size_t found = 0;
	struct moves legal;

	if (n > NEAREST_MAX)
		n = NEAREST_MAX;
	game_legal(g, p, &legal);
	for (size_t i = 0; n && i < legal.n; i++) {
		size_t d = turn_distance(g, p, &legal, &legal.v[i], typed, len);
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
