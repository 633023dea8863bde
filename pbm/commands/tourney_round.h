/* Moves a tournament on: it begins, rounds are paired and their games start, and it ends.  Each
 * function changes the document *t, stores it, and puts the mails into the outbox, all in the
 * open transaction: a run that is killed pairs no round and starts no game twice. */
#ifndef PBM_COMMANDS_TOURNEY_ROUND_H
#define PBM_COMMANDS_TOURNEY_ROUND_H

#include "pbm/request/request.h"
#include "store/tourney.h"

/* Begins with those who have entered: writes down ratings, lots and order, and pairs the first
 * round.  Those who only wait or are invited are told that it begins without them.  At least
 * two players are needed; a Swiss tournament gets as many rounds as it can have. */
int tourney_start(struct request *q, struct tourney_doc *t, struct err *e);

/* Does what follows from the games that are over: the next games of a match or of a round
 * robin, the next round, the end.  force: also when games of the round are open. */
int tourney_go_on(struct request *q, struct tourney_doc *t, bool force, struct err *e);

/* Ends it as it stands (why: a reason, or NULL at its usual end); before its beginning, it is
 * cancelled.  Everybody is told.  When it is over already, a result has changed since, and
 * everybody is told the table again. */
int tourney_finish(struct request *q, struct tourney_doc *t, const char *why, struct err *e);

/* The player is paired no more.  Of a round robin and of a knockout his open games are lost;
 * of a ladder, too, and his place is gone.  The team of the player goes on, and is told. */
int tourney_withdraw(struct request *q, struct tourney_doc *t, int number, struct err *e);

/* The same of a whole team.  A team whose last player leaves is withdrawn, too. */
int tourney_withdraw_team(struct request *q, struct tourney_doc *t, int team, struct err *e);

#endif
