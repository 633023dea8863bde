/* Finds the games of a tournament that can start now, and starts them. */
#ifndef PBM_COMMANDS_TOURNEY_GAMES_H
#define PBM_COMMANDS_TOURNEY_GAMES_H

#include "pbm/request/request.h"
#include "pbm/tournament/tournament.h"
#include "store/tourney.h"

/* Starts the games of a pairing of two units (tourney_teams.h), or writes down a bye (black 0).
 * White has White on the first board, the third, and so on.  If a player can't play, the other
 * one wins the board. */
int tourney_start_pairing(struct request *q, struct tourney_doc *t, int round, int white, int black,
                          struct err *e);

/* Starts the games of a round robin that can start: all of them, or a limited number at once.
 * 1: none is left, and all are over; 0: it goes on. */
int tourney_robin(struct request *q, struct tourney_doc *t, struct err *e);

/* Starts the next games of the matches of this round.  1: all matches are decided. */
int tourney_knockout(struct request *q, struct tourney_doc *t, struct err *e);

/* Ends the open games of an entry as losses.  Stores the document first, and reads it again. */
int tourney_lose_games(struct request *q, struct tourney_doc *t, int number, struct err *e);
/* The same of all members of a team. */
int tourney_lose_team(struct request *q, struct tourney_doc *t, int team, struct err *e);

#endif
