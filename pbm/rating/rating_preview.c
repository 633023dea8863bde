#include "pbm/rating/rating_preview.h"

#include <stdio.h>
#include <string.h>

#include "pbm/rating/rating.h"

static void write_row(const char *what, const struct glicko r[2], struct str *out)
{
	for (int i = 0; i < 2; i++) {
		struct str s = STR_LOCAL(40);

		rating_write(r[i].rating, r[i].deviation, &s);
		if (i == 0)
			str_addf(out, " %-28.28s  %-20s", what, s.data);
		else
			str_addf(out, "  %s\n", s.data);
	}
}

int rating_preview_write(struct store *store, int64_t at, const char *game, const char *const u[2],
                         bool rated, struct str *out, struct err *e)
{
	static const struct {
		int winner;   /* -1: nobody */
		double score; /* of u[0] */
	} ends[] = { { 0, 1 }, { -1, 0.5 }, { 1, 0 } };
	struct rating now[2];

	for (int i = 0; i < 2; i++) {
		int rc = rating_get(store, u[i], game, at, &now[i], e);
		if (rc < 0)
			return rc;
	}
	size_t from = out->len;
	str_addf(out, " %-28s  %-20s  %s\n", "", u[0], u[1]);
	write_row("rating now", (struct glicko[]){ now[0].now, now[1].now }, out);
	for (size_t i = 0; rated && i < sizeof ends / sizeof ends[0]; i++) {
		struct glicko_game g[2] = { { now[1].now, ends[i].score },
			                    { now[0].now, 1 - ends[i].score } };
		struct glicko after[2];
		char what[60];

		for (int k = 0; k < 2; k++)
			after[k] = glicko_update(now[k].now, &g[k], 1, 0);
		if (ends[i].winner >= 0)
			snprintf(what, sizeof what, "if %.20s wins", u[ends[i].winner]);
		write_row(ends[i].winner < 0 ? "after a draw" : what, after, out);
	}
	if (strchr(out->data + from, '?'))
		str_add(out, "(?: a first estimate, after few rated games)\n");
	return 0;
}
