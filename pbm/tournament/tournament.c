#include "pbm/tournament/tournament.h"

static int even(int players)
{
	return players + (players & 1);
}

static int knockout_rounds(int players)
{
	int rounds = 0;

	while (1 << rounds < players)
		rounds++;
	return rounds;
}

int tournament_rounds_max(enum tournament_kind kind, int players)
{
	if (players < 2)
		return 0;
	switch (kind) {
	case TOURNAMENT_ROUND_ROBIN: return even(players) - 1;
	case TOURNAMENT_DOUBLE: return 2 * (even(players) - 1);
	case TOURNAMENT_KNOCKOUT: return knockout_rounds(players);
	case TOURNAMENT_SWISS: break;
	}
	return players / 2;
}

int tournament_round_count(enum tournament_kind kind, int players, int asked)
{
	int most = tournament_rounds_max(kind, players);

	return kind == TOURNAMENT_SWISS && asked < most ? asked : most;
}

int tournament_pair(const struct tournament *t, int round, struct arena *a,
                    struct tournament_pair **out, int *n)
{
	(void)t, (void)round, (void)a, (void)out, (void)n;
	return TOURNAMENT_NO_PAIRING;
}

struct tournament_match tournament_knockout_next(const struct tournament *t, int round,
                                                 const struct tournament_pair *pair)
{
	(void)t, (void)round;
	return (struct tournament_match){ .state = TOURNAMENT_MATCH_DECIDED,
		                          .winner = pair->white };
}

void tournament_table(const struct tournament *t, struct arena *a, struct tournament_row **out)
{
	*out = arena_alloc(a, (size_t)t->n * sizeof **out);
}

void tournament_team_result(const struct tournament_game *boards, int n,
                            struct tournament_game *out)
{
	(void)boards, (void)n, (void)out;
}
