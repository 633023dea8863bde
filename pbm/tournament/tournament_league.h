/* Seasons of a league: the groups of a season are round robins, from the strongest on; the first
 * of a group go up for the next season, and the last go down.  Pure functions of the tables. */
#pragma once

#include "pbm/pairing/pairing.h"
#include "store/document/tournament.h"

#define LEAGUE_GROUP_LEAST 3 /* players */

/* The group that the player on that line of a group's table plays in next: -1 in the group above, 1 in the
 * one below, 0 in the same one.  rows are those of tournament_rows(). */
int tournament_league_move(const struct tournament_doc *t, const struct pairing_row *rows,
                           size_t line);

/* The players of a season in the order in which the next one takes them into its groups; of each
 * group those who come down first, then those who stay, then those who come up.  Who has left is
 * not among them.  groups: all of the season, the strongest first.  Returns their number. */
size_t tournament_league_order(struct arena *a, const struct tournament_doc *groups, size_t n,
                               const char ***out);

/* The number of groups for so many players, and the number of players in group g, from 0: groups
 * differ by one player at most, and the larger ones come first. */
int tournament_league_groups(int players, int group_size);
int tournament_league_size(int players, int groups, int g);
