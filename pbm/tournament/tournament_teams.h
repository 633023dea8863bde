/* The units that a tournament pairs: players, or teams of players.  A unit is called by its
 * number: that of the entry, or that of the team.  Changes nothing. */
#pragma once

#include "pbm/pairing/pairing.h"
#include "store/document/tournament.h"

int tournament_unit_count(const struct tournament_doc *t);
const char *tournament_unit_name(const struct tournament_doc *t, int unit);
int tournament_unit_rating(const struct tournament_doc *t, int unit);

/* The number of games that a pairing has at the same time, from 1; of teams: their boards. */
int tournament_boards(const struct tournament_doc *t);

/* Can the player get a game now?  Not when he has left, or mail does not reach him. */
bool tournament_can_play(const struct tournament_doc *t, int number);

/* The numbers of the players on the boards of a unit, the first board first.  Of a team these
 * are its first ones who can play; when they are too few, the last boards get members who
 * can't. */
void tournament_lineup(const struct tournament_doc *t, int unit, int out[TOURNAMENT_BOARDS_MAX]);

/* The number of the team of that name; 0: there is none. */
int tournament_find_team(const struct tournament_doc *t, const char *name);

/* The number of members of the team with that standing. */
size_t tournament_members(const struct tournament_doc *t, int team,
                          enum tournament_standing standing);

/* Has the team a player for each board? */
bool tournament_is_complete(const struct tournament_doc *t, int team);

/* Can any of its members play? */
bool tournament_is_present(const struct tournament_doc *t, int team);

/* The member of the team who leads it; 0: there is none. */
int tournament_captain(const struct tournament_doc *t, int team);

/* When so many complete teams entered before it that it has no place: it waits for one. */
bool tournament_team_waits(const struct tournament_doc *t, int team);

/* The number of the entry that plays all others in a simul; 0: there is none. */
int tournament_host(const struct tournament_doc *t);

/* The number of players, or teams, that would play if it began now. */
size_t tournament_ready(const struct tournament_doc *t);

/* The games of a pairing, which stand together. */
struct tournament_pairing {
	int round, white, black; /* units; black 0: a bye */
	size_t first, n;         /* its games */
	bool open;               /* a game goes on */
	bool played, annulled;   /* any game was played; all are annulled */
	int boards[2];           /* half points of the units in the games that are over */
	int points[2];           /* of a match of teams that is over: 2, 1 or 0 */
};

/* The pairing that begins with the game *at (an index), which moves on; false: there is none.
 * Of a Swiss tournament, games of rounds before `round` that go on count as drawn. */
bool tournament_next_pairing(const struct tournament_doc *t, int round, size_t *at,
                             struct tournament_pairing *out);

/* The half points that a player has in his games that are over, byes not counted. */
void tournament_score_of(const struct tournament_doc *t, int number, int *points, int *games);

/* The number of a unit's pairings that go on. */
int tournament_open_pairings(const struct tournament_doc *t, int unit);
