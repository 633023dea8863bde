/* The games there are, for the registry alone. */
#ifndef GAMES_FAMILIES_H
#define GAMES_FAMILIES_H

#include "games/rules.h"

extern const struct rules rules_chess;

extern const struct rules rules_suicide, rules_antichess, rules_giveaway, rules_losing2,
	rules_losing3, rules_losing4, rules_losing5, rules_losers, rules_kamikaze, rules_kamikaze2;

extern const struct rules rules_avalanche;

extern const struct rules rules_allmate;

extern const struct rules rules_connected;

#endif
