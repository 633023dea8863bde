/* The parts that all acts of moderators share: who may act on a game, the reason, the record of
 * acts, and the mails to the players concerned.  An act is an event in the game, a line in the
 * record of acts, and a mail to each player. */
#pragma once

#include "pbm/commands/words/command.h"
#include "store/document/tournament.h"

#define MODERATE_REASON_MAX 500  /* bytes */
#define MODERATE_ACTS_AN_HOUR 10 /* of one moderator on one board or player; questions count */

/* Is the actor one who may act on boards: a moderator, or the director of the tournament in which
 * the game is played, for the acts that directors have? */
bool moderate_acts_on(struct request *q, const struct call *c);

/* Does the actor act on the board as the director of its tournament, and not as a moderator? */
bool moderate_is_director(struct request *q, const struct call *c);

/* May the actor act on the call's board?  By mail nobody acts on his own games, or on those of a
 * tournament or ladder in which he plays, also under another account with his mailbox.  If not, says so. */
bool moderate_may(struct request *q, const struct call *c);

/* May the actor act on this account?  By mail nobody acts on an account of the same or a higher
 * role, his own among them, and only an operator on a computer.  If not, says so. */
bool moderate_may_on(struct request *q, const struct call *c, const struct player_doc *p);

/* Would the actor gain by an act that stops this player, because they play each other, or in the
 * same tournament?  If so, says so. */
bool moderate_is_rival(struct request *q, const struct call *c, const struct player_doc *p);

/* Counts an act that makes mails (CMD_TELLS) of the actor on the call's board or player.  1: they
 * are too many in this hour, and it is refused; at the shell none is. */
int moderate_is_often(struct request *q, const struct call *c, struct err *e);

/* May the actor direct this tournament, or with NULL make one?  By mail nobody directs a
 * tournament in which he plays; a director who is no moderator directs his own.  If not, says
 * so. */
bool moderate_may_direct(struct request *q, const struct call *c, const struct tournament_doc *t);

/* May the actor make the next season of this league?  Its director and moderators may, players
 * too. */
bool moderate_may_follow(struct request *q, const struct call *c, const struct tournament_doc *t);

/* The rest of the line after so many arguments, else the paragraph below it; NULL: there is none or it
 * is too long, and the moderator is told. */
const char *moderate_reason(struct request *q, const struct call *c, size_t arguments);

/* The same where no reason is needed: "" if there is none. */
const char *moderate_remark(struct request *q, const struct call *c);

/* The reason for the players of the call's board: "" where the director of a tournament gives it, and one
 * of them takes no messages from him, who is told.  A moderator's reason is told in any case. */
const char *moderate_told(struct request *q, const struct call *c, const char *reason);

/* Adds the act to the record of acts. */
int moderate_record(struct request *q, const struct call *c, const char *detail, const char *reason,
                    struct err *e);

/* The same, and saves the call's game. */
int moderate_done(struct request *q, const struct call *c, const char *detail, const char *reason,
                  struct err *e);

/* Tells each player of the board, and the moderator. */
void moderate_tell(struct request *q, const struct call *c, unsigned flags, const char *subject,
                   const char *headline);
