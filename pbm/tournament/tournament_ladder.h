/* The document of a game's challenge ladder: what entering, leaving and a won challenge do to
 * its places.  The rules are pbm/pairing/ladder.h.  Changes the document only. */
#pragma once

#include "pbm/pairing/ladder.h"
#include "store/document/tournament.h"

/* A challenge is a game with so many days a move and none in reserve: who lets it stand for
 * that time, and as long again after a warning, has lost it. */
#define TOURNAMENT_LADDER_DAYS 7

/* No other tournament has a name that begins so. */
#define TOURNAMENT_LADDER_PREFIX "ladder-"

/* The name of the ladder of a game: "ladder-suicide". */
const char *tournament_ladder_name(struct arena *a, const char *game);

/* The game of the ladder with this name (MAY be NULL), as a title: "Suicide".  NULL: it is none of a
 * ladder. */
const char *tournament_ladder_of(const char *name);

/* A ladder without players. */
void tournament_ladder_make(struct arena *a, const char *game, int64_t now,
                            struct tournament_doc *out);

/* Black has won his challenge g, one of t->games, and takes the place of White. */
void tournament_ladder_win(struct arena *a, struct tournament_doc *t,
                           const struct tournament_game *g);

/* Takes a player out, with the games that he played; those below move up. */
void tournament_ladder_remove(struct tournament_doc *t, int number);

/* The oldest games that are over make room when there are too many. */
void tournament_ladder_trim(struct tournament_doc *t);

/* The running challenge that the player has made (made) or has to answer; NULL: none. */
const struct tournament_game *tournament_ladder_open(const struct tournament_doc *t, int number,
                                                     bool made);
