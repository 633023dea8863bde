#include "pbm/pairing/ladder.h"

#include "pbm/base/clock.h"

static enum ladder_answer hinders(const struct ladder_challenge *c, int from, int to, int64_t now)
{
	bool same = (c->from == from && c->to == to) || (c->from == to && c->to == from);

	if (!c->ended && c->from == from)
		return LADDER_OWN_RUNS;
	if (!c->ended && c->to == to)
		return LADDER_HAS_ONE;
	return same && (!c->ended || now < c->ended + LADDER_PAUSE_DAYS * CLOCK_DAY) ? LADDER_SOON
	                                                                             : LADDER_YES;
}

enum ladder_answer ladder_may(const struct ladder_challenge *v, int n, int from, int to,
                              int64_t now, int *which)
{
	if (from == to)
		return LADDER_SELF;
	if (to > from)
		return LADDER_BELOW;
	if (from - to > LADDER_REACH)
		return LADDER_FAR;
	for (int i = 0; i < n; i++) {
		enum ladder_answer answer = hinders(&v[i], from, to, now);

		*which = i;
		if (answer != LADDER_YES)
			return answer;
	}
	return LADDER_YES;
}

int ladder_after_win(int place, int from, int to)
{
	if (from <= to)
		return place;
	if (place == from)
		return to;
	return place >= to && place < from ? place + 1 : place;
}
