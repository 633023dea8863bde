/* Changes accounts for moderators: suspended, banned, another role.  Each act is one change of
 * the player's document, a line in the record of acts, and a mail to the player.  Who may act is
 * asked before (moderate.h). */
#pragma once

#include "pbm/commands/words/command.h"
#include "pbm/request/act_record.h"

#define SANCTIONS_DAYS_MAX 365

/* Words alone: they are told and recorded. */
int sanctions_warn(struct request *q, const struct player_doc *p, const struct act_by *by,
                   struct err *e);

/* No new games for so many days, and the player's offers are withdrawn; 0: the suspension
 * ends. */
int sanctions_suspend(struct request *q, const struct player_doc *p, const struct act_by *by,
                      int days, struct err *e);

/* Nothing from this player is obeyed but what CMD_BANNED marks.  Open offers are withdrawn; the
 * running games end as end says in the next run, some at a time (sanctions_sweep()). */
int sanctions_ban(struct request *q, const struct player_doc *p, const struct act_by *by,
                  enum ban_end end, struct err *e);
int sanctions_unban(struct request *q, const struct player_doc *p, const struct act_by *by,
                    struct err *e);

int sanctions_set_roles(struct request *q, const struct player_doc *p, const struct act_by *by,
                        unsigned roles, struct err *e);

/* Ends a running game of a player who is banned.  1: ended; 0: nobody in it is. */
int sanctions_sweep(struct request *q, struct match *m, struct err *e);
