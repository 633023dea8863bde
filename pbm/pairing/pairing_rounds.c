/* The number of rounds of a tournament. */
#include "pbm/pairing/pairing.h"

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

int pairing_rounds_max(enum pairing_kind kind, int players)
{
	if (players < 2)
		return 0;
	switch (kind) {
	case PAIRING_ROUND_ROBIN: return even(players) - 1;
	case PAIRING_DOUBLE: return 2 * (even(players) - 1);
	case PAIRING_KNOCKOUT: return knockout_rounds(players);
	case PAIRING_SIMUL: return 1;
	case PAIRING_SWISS: break;
	}
	return players / 2;
}

int pairing_round_count(enum pairing_kind kind, int players, int asked)
{
	int most = pairing_rounds_max(kind, players);

	return kind == PAIRING_SWISS && asked < most ? asked : most;
}
