/* Seasons of a league in the store: the groups of one, and the next one after it.  Who goes up
 * and down is computed in pbm/tournament/tournament_league.h. */
#pragma once

#include "pbm/commands/words/command.h"
#include "store/document/tournament.h"

/* Letters that a season's name leaves for the numbers of its groups. */
#define SEASON_SUFFIX 4

/* Makes *t a tournament on the terms of the season that is called name.  1: it can't be
 * followed, and the sender is told why. */
int tournament_season_follow(struct request *q, const char *name, struct tournament_doc *t,
                             struct err *e);

/* The players of the season before, in the order of tournament_league_order(). */
int tournament_season_order(struct request *q, const struct tournament_doc *t, const char ***out,
                            size_t *n, struct err *e);

/* Cuts a season that begins into groups: *t keeps the players of the first one, and *lower are
 * the others, n of them, which are tournaments that begin with it.  Stores nothing. */
int tournament_season_cut(struct request *q, struct tournament_doc *t,
                          struct tournament_doc **lower, size_t *n, struct err *e);
