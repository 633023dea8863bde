/* Games that a moderator starts for others: a player for whom one mail starts several gets one
 * mail about them. */
#ifndef PBM_COMMANDS_STARTS_H
#define PBM_COMMANDS_STARTS_H

#include "pbm/request/request.h"

#define STARTS_MAX 10 /* games that moderators start for the same two players, in an hour */

/* Counts a game that a moderator starts for these two.  1: it may be started; 0: refused. */
int starts_may(struct request *q, const char *const u[2], struct err *e);

/* Is one of the two another account of the moderator's own, or does one want no games with the
 * other (noplay, censor)?  If so, says so. */
bool starts_is_refused(struct request *q, const struct player_doc *moderator,
                       const struct player_doc players[2]);

/* Sends each reader who has several notes with NOTE_STARTED one mail with all of them, and takes
 * these notes out of the request.  Its reply address is good for the boards it names. */
int starts_tell(struct request *q, struct err *e);

#endif
