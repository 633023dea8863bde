/* Moves a tournament on: it begins, rounds are paired and their games start, and it ends.  Each
 * function changes the document *t, stores it, and puts the mails into the outbox, all in the
 * open transaction: a run that is killed pairs no round and starts no game twice. */
#pragma once

#include "pbm/request/request.h"
#include "pbm/tournament/tournament_pairs.h"
#include "store/document/tournament.h"

/* Begins with those who have entered: writes down ratings, lots and order, and pairs the first
 * round.  Players who wait or are only invited are told that it begins without them.  At least
 * two players are needed; a Swiss tournament gets as many rounds as it can have. */
int tournament_start(struct request *q, struct tournament_doc *t, struct err *e);

/* Does what follows from finished games: starts the next games of a match or of a round robin,
 * pairs the next round, or ends the tournament.  force: also while games of the round are open. */
int tournament_go_on(struct request *q, struct tournament_doc *t, bool force, struct err *e);

/* NULL: the next round can be paired by hand; else a sentence that says why not. */
const char *tournament_pairs_refused(struct arena *a, const struct tournament_doc *t);

/* Pairs the next round as the director says, and starts its games. */
int tournament_pair_round(struct request *q, struct tournament_doc *t,
                          const struct tournament_pair *pairs, size_t n, struct err *e);

/* Ends a running tournament with its present table (why: a reason, or NULL at the usual end), or
 * cancels one that has not begun.  Everybody is told.  If it has ended already, a result has
 * changed since, and everybody is told the table again. */
int tournament_finish(struct request *q, struct tournament_doc *t, const char *why, struct err *e);

/* The same with a reason in the words of `by`, which reach a player as often as others of his. */
int tournament_end(struct request *q, struct tournament_doc *t, const char *why,
                   const struct player_doc *by, struct err *e);

/* Withdraws a player from later pairings.  He loses his open games in a round robin, a knockout
 * and a ladder; in a ladder also his place.  His team goes on, and is told. */
int tournament_withdraw(struct request *q, struct tournament_doc *t, int number, struct err *e);

/* The same of a whole team.  A team whose last player leaves is withdrawn, too. */
int tournament_withdraw_team(struct request *q, struct tournament_doc *t, int team, struct err *e);
