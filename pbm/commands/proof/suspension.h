/* Stops players who are suspended or banned; sanctions.h has the acts that make them so. */
#pragma once

#include "pbm/commands/words/command.h"

/* May the player begin new games, with this account and others in the mailbox? */
bool suspension_may_play(struct request *q, const struct player_doc *p);

/* The same of the call's actor; if not, says so. */
bool suspension_actor_may_play(struct request *q, const struct call *c);

/* Is the player banned?  Then says that nothing was done. */
bool suspension_refuses_banned(struct request *q, const struct player_doc *p, int64_t board);

/* Is the line one that a banned player's mail can't run?  Then it is refused. */
bool suspension_refuses(struct request *q, const struct call *c);
