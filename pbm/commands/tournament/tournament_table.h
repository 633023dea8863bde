/* The table of a tournament and its pairings as lines of a mail, for the template
 * mail/tournament.txt. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "store/document/tournament.h"

/* Adds the table to c: all of it, or the top and the neighbours of the reader (a userid, or
 * NULL). */
void tournament_table_add(struct arena *a, const struct tournament_doc *t, const char *reader,
                          bool whole, json_t *c);

/* Adds the teams with their players: boards, ratings, points of the games that are over. */
void tournament_table_add_rosters(struct arena *a, const struct tournament_doc *t, json_t *c);

/* Adds the games of the newest round; of a round robin those that go on.  only: those of this
 * player's number, or of his team; 0: of all. */
void tournament_table_add_pairings(struct arena *a, const struct tournament_doc *t, int only,
                                   json_t *c);
