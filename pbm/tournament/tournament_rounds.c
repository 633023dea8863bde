/* The number of rounds of a tournament. */
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
