/* Changes accounts for moderators: suspended, banned, another role.  Each act is one change of
 * the player's document, a line in the record of acts, and a mail to the player.  Who may act is
 * asked before (moderate.h). */
#ifndef PBM_COMMANDS_STANDING_H
#define PBM_COMMANDS_STANDING_H

#include "pbm/commands/command.h"

#define STANDING_DAYS_MAX 365

/* The moderator and the reason: for the record and for those who are told. */
struct act_by {
	const char *by; /* the userid, or "operator" at the shell */
	const char *why;
};

/* Adds the act to the record of acts; players: those concerned. */
int standing_record(struct request *q, const struct act_by *by, const char *what,
                    const char *players, const char *detail, struct err *e);

/* Suspends the player for so many days: no new games, and open offers are withdrawn; 0: ends the
 * suspension. */
int standing_suspend(struct request *q, const struct player_doc *p, const struct act_by *by,
                     int days, struct err *e);

/* Bans the player: only commands with CMD_BANNED run.  Open offers are withdrawn; later runs end
 * the running games as `end` says, some at a time (standing_sweep()). */
int standing_ban(struct request *q, const struct player_doc *p, const struct act_by *by,
                 enum ban_end end, struct err *e);
int standing_unban(struct request *q, const struct player_doc *p, const struct act_by *by,
                   struct err *e);

int standing_set_roles(struct request *q, const struct player_doc *p, const struct act_by *by,
                       unsigned roles, struct err *e);

/* Ends a running game of a player who is banned.  1: ended; 0: nobody in it is. */
int standing_sweep(struct request *q, struct match *m, struct err *e);

/* May the player begin new games? */
bool standing_may_play(const struct request *q, const struct player_doc *p);
/* The same of the call's actor; if not, says so. */
bool standing_actor_may_play(struct request *q, const struct call *c);

/* Is the line one that a banned player may not run?  Then refuses it. */
bool standing_refuses(struct request *q, const struct call *c);

#endif
