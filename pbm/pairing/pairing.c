#include "pbm/pairing/pairing.h"

#include "pbm/pairing/berger.h"
#include "pbm/pairing/knockout.h"
#include "pbm/pairing/swiss.h"

/* The one against each of the others. */
static int simul_pair(const struct pairing *t, int round, struct arena *a,
                      struct pairing_pair **out, int *n)
{
	if (round != 1 || t->n < 2)
		return PAIRING_NO_PAIRING;
	struct pairing_pair *v = arena_alloc(a, (size_t)t->n * sizeof *v);
	for (int i = 1; i < t->n; i++) {
		bool white = t->colour == PAIRING_BOTH_COLOURS ? (t->lot + (uint32_t)i) % 2 == 1
		                                               : t->colour == PAIRING_WHITE;

		v[i - 1] = white ? (struct pairing_pair){ 0, i } : (struct pairing_pair){ i, 0 };
	}
	*n = t->n - 1;
	*out = v;
	return 0;
}

int pairing_make(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                 int *n)
{
	switch (t->kind) {
	case PAIRING_ROUND_ROBIN:
	case PAIRING_DOUBLE: return berger_pair(t, round, a, out, n);
	case PAIRING_KNOCKOUT: return knockout_pair(t, round, a, out, n);
	case PAIRING_SIMUL: return simul_pair(t, round, a, out, n);
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
