/* Tournaments beside a request: the result of a game in one, and what they ask a player. */
#pragma once

#include "pbm/request/request.h"
#include "store/document/tournament.h"

/* Writes the result of a game that changed into its tournament's document, in the same
 * transaction.  When a pairing can follow, the tournament is due at once: the run makes it. */
int tournament_follow(struct request *q, const struct match *m, struct err *e);

/* May turns of the game be taken back?  In a tournament only if it was made so. */
bool tournament_allows_undo(struct request *q, const struct match *m);

/* Calls fn with each tournament that is open or runs and in which the player has an entry. */
typedef void tournament_own_fn(const struct tournament_doc *t, const struct tournament_entry *own,
                               void *arg);
int tournament_each_own(struct request *q, const char *userid, tournament_own_fn *fn, void *arg,
                        struct err *e);

/* The commands that answer what tournaments ask the mail's sender, one a line below a sentence:
 * invitations, and players who would like to play in his team.  NULL: nothing is asked, or the store
 * failed. */
const char *tournament_asks(struct request *q);

/* The command that accepts the invitation to which the mail is an answer, or declines it.  The name at
 * the end of its Subject says which.  NULL: it is none, or its Subject is not ours, so that it may
 * answer anything. */
const char *tournament_invited(struct request *q, bool accepts);

/* Refuse what a game of a tournament or a ladder does not let its players do. */
void tournament_refuse_undo(struct request *q, const struct match *m);
void tournament_refuse_abort(struct request *q, const struct match *m);
