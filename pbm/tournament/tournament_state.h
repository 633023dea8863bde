/* A tournament's document as what pbm/tournament pairs and counts, and questions about how far
 * it has come.  Changes nothing. */
#pragma once

#include "pbm/pairing/pairing.h"
#include "store/document/tournament.h"

/* The way in which the units are paired; a ladder is counted as a round robin. */
enum pairing_kind tournament_pairing_kind(const struct tournament_doc *t);

/* The tournament as it stands; its entries are the units (tournament_teams.h).  Matches of teams
 * are one game each; in them, games of rounds before `round` that go on count as drawn.  The
 * lists are in the arena. */
void tournament_pure(struct arena *a, const struct tournament_doc *t, int round,
                     struct pairing *out);

/* The table, best first; one row for each unit of a tournament that has begun. */
struct pairing_row *tournament_rows(struct arena *a, const struct tournament_doc *t);

/* Is it a round robin or a simul, whose rounds are all paired at the start? */
bool tournament_is_all_at_once(const struct tournament_doc *t);

/* The number of games without a result: of the newest round, or of a round robin. */
size_t tournament_open_games(const struct tournament_doc *t);

/* Is a game of any round open, in a tournament that may have ended? */
bool tournament_goes_on(const struct tournament_doc *t);

/* The results so far, as they are written with the pairing of a round: tournament_round.from. */
const char *tournament_results_text(struct arena *a, const struct tournament_doc *t);

/* The game on that board; NULL: it is none of the tournament. */
struct tournament_game *tournament_game_of(const struct tournament_doc *t, int64_t board);

/* Takes over what became of a game: its document.  true: something changed. */
bool tournament_take_result(struct tournament_game *g, const struct game_doc *d);

/* Is there something left to play: an open game of the last round, or a game more in a knockout
 * match of it that is level? */
bool tournament_is_undecided(struct arena *a, const struct tournament_doc *t);

/* Was a later game paired from this one: a later round, or the next game of its match? */
bool tournament_is_followed(const struct tournament_doc *t, const struct tournament_game *g);

/* Has the player an entry of his own doing, also one that he has given up? */
bool tournament_is_entered(const struct tournament_doc *t, const char *userid);

/* May somebody still enter?  Before it begins, and a Swiss tournament of players until its third
 * round is paired. */
bool tournament_takes_entries(const struct tournament_doc *t);

/* The games of a unit of a round robin that are over and were played, and all of them that
 * there will be. */
void tournament_share(const struct tournament_doc *t, int unit, int *over, int *all);
