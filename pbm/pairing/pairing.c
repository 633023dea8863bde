#include "pbm/pairing/pairing.h"

#include "pbm/pairing/berger.h"
#include "pbm/pairing/knockout.h"
#include "pbm/pairing/swiss.h"

int pairing_make(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                 int *n)
{
	switch (t->kind) {
	case PAIRING_ROUND_ROBIN:
	case PAIRING_DOUBLE: return berger_pair(t, round, a, out, n);
	case PAIRING_KNOCKOUT: return knockout_pair(t, round, a, out, n);
	case PAIRING_SWISS: break;
	}
	return swiss_pair(t, round, a, out, n);
}

struct pairing_match pairing_knockout_next(const struct pairing *t, int round,
                                           const struct pairing_pair *pair)
{
	return knockout_match(t, round, pair);
}

void pairing_team_result(const struct pairing_game *boards, int n, struct pairing_game *out)
{
	bool open = false, bye = out->black == PAIRING_BYE;

	out->played = false;
	out->boards[0] = bye ? n : 0;
	out->boards[1] = 0;
	for (int i = 0; i < n && !bye; i++) {
		out->played |= boards[i].played;
		open |= boards[i].points[0] < 0;
		for (int team = 0; team < 2 && boards[i].points[0] >= 0; team++)
			out->boards[team] += boards[i].points[(team + i) % 2];
	}
	for (int team = 0; team < 2; team++) {
		int own = out->boards[team], other = out->boards[!team];

		out->points[team] = open ? -1 : own ? 1 + (own > other) - (own < other) : 0;
	}
}
