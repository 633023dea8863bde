#include "pbm/tournament/tournament.h"

#include "pbm/tournament/berger.h"
#include "pbm/tournament/knockout.h"
#include "pbm/tournament/swiss.h"

int tournament_pair(const struct tournament *t, int round, struct arena *a,
                    struct tournament_pair **out, int *n)
{
	switch (t->kind) {
	case TOURNAMENT_ROUND_ROBIN:
	case TOURNAMENT_DOUBLE: return berger_pair(t, round, a, out, n);
	case TOURNAMENT_KNOCKOUT: return knockout_pair(t, round, a, out, n);
	case TOURNAMENT_SWISS: break;
	}
	return swiss_pair(t, round, a, out, n);
}

struct tournament_match tournament_knockout_next(const struct tournament *t, int round,
                                                 const struct tournament_pair *pair)
{
	return knockout_match(t, round, pair);
}

void tournament_team_result(const struct tournament_game *boards, int n,
                            struct tournament_game *out)
{
	bool open = false, bye = out->black == TOURNAMENT_BYE;

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
