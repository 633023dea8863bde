/* Finds the games of a tournament that can start now, and starts them. */
#pragma once

#include "pbm/pairing/pairing.h"
#include "pbm/request/request.h"
#include "store/document/tournament.h"

/* Starts the games of a pairing of two units (tournament_teams.h), or writes down a bye (black 0).
 * White has White on the first board, the third, and so on.  If a player can't play, the other
 * one wins the board. */
int tournament_start_pairing(struct request *q, struct tournament_doc *t, int round, int white,
                             int black, struct err *e);

/* Starts the games of a round robin that can start: all of them, or a limited number at once.
 * 1: none is left, and all are over; 0: it goes on. */
int tournament_robin(struct request *q, struct tournament_doc *t, struct err *e);

/* Starts the next games of the matches of this round.  1: all matches are decided. */
int tournament_knockout(struct request *q, struct tournament_doc *t, struct err *e);

/* Ends the open games of an entry as losses.  Stores the document first, and reads it again. */
int tournament_lose_games(struct request *q, struct tournament_doc *t, int number, struct err *e);
/* The same of all members of a team. */
int tournament_lose_team(struct request *q, struct tournament_doc *t, int team, struct err *e);
