/* A tournament's document as what pbm/tournament pairs and counts, and questions about how far
 * it has come.  Changes nothing. */
#ifndef PBM_TOURNEY_TOURNEY_STATE_H
#define PBM_TOURNEY_TOURNEY_STATE_H

#include "pbm/tournament/tournament.h"
#include "store/tourney.h"

/* The tournament as it stands; its entries are the units (tourney_teams.h).  Matches of teams
 * are one game each; in them, games of rounds before `round` that go on count as drawn.  The
 * lists are in the arena. */
void tourney_pure(struct arena *a, const struct tourney_doc *t, int round, struct tournament *out);

/* The table, best first; one row for each unit of a tournament that has begun. */
struct tournament_row *tourney_rows(struct arena *a, const struct tourney_doc *t);

/* Is it a round robin, whose rounds are all paired at the start? */
bool tourney_is_all_at_once(const struct tourney_doc *t);

/* The number of games without a result: of the newest round, or of a round robin. */
size_t tourney_open_games(const struct tourney_doc *t);

/* The results so far, as they are written with the pairing of a round: tourney_round.from. */
const char *tourney_results_text(struct arena *a, const struct tourney_doc *t);

/* The game on that board; NULL: it is none of the tournament. */
struct tourney_game *tourney_game_of(const struct tourney_doc *t, int64_t board);

/* Takes over what became of a game: its document.  true: something changed. */
bool tourney_take_result(struct tourney_game *g, const struct game_doc *d);

/* Is there something left to play: an open game of the last round, or a game more in a knockout
 * match of it that is level? */
bool tourney_is_undecided(struct arena *a, const struct tourney_doc *t);

/* Was a later game paired from this one: a later round, or the next game of its match? */
bool tourney_is_followed(const struct tourney_doc *t, const struct tourney_game *g);

/* Has the player an entry of his own doing, also one that he has given up? */
bool tourney_is_entered(const struct tourney_doc *t, const char *userid);

/* May somebody still enter?  Before it begins, and a Swiss tournament of players until its third
 * round is paired. */
bool tourney_takes_entries(const struct tourney_doc *t);

/* The games of a unit of a round robin that are over and were played, and all of them that
 * there will be. */
void tourney_share(const struct tourney_doc *t, int unit, int *over, int *all);

#endif
