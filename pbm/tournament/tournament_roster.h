/* The teams of a tournament's document: founded, joined, left.  Changes the document only; who
 * may do what is asked before. */
#pragma once

#include "store/document/tournament.h"

/* A new team, whose captain the player is.  Returns its number. */
int tournament_roster_found(struct arena *a, struct tournament_doc *t, const char *name,
                            const char *userid, int64_t at);

/* Puts the player into a team with that standing; an entry that was there is replaced. */
void tournament_roster_put(struct arena *a, struct tournament_doc *t, const char *userid, int team,
                           enum tournament_standing standing, int64_t at);

/* Takes an entry out of a tournament that has not begun.  When a captain goes, the member who
 * entered first leads the team; a team without members is gone, with those who are invited. */
void tournament_roster_drop(struct tournament_doc *t, int number);

/* The same of a whole team. */
void tournament_roster_drop_team(struct tournament_doc *t, int team);

/* The player has left a tournament that has begun.  Returns the number of the member who leads
 * the team now if he did, or 0.  A team that nobody is left of is withdrawn. */
int tournament_roster_leave(struct tournament_doc *t, int number);
