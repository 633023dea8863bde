/* Entering a tournament of teams.  A player is in a team when he has written "join" and its
 * captain "team ... add", in either order.  Nobody can enter another player. */
#pragma once

#include "pbm/commands/words/command.h"
#include "store/document/tournament.h"

/* "join league-26 team tigers": founds the team, or joins it if the captain has agreed, or else
 * asks him.  check: can it be done?  If not, says why. */
bool tournament_join_check(struct request *q, const struct call *c, const struct tournament_doc *t);
int tournament_join_run(struct request *q, const struct call *c, struct tournament_doc *t,
                        struct err *e);

/* May the team invite the player?  Not while another team waits for an answer, whose invitation would
 * be gone.  If not, says so. */
bool tournament_join_is_free(struct request *q, const struct tournament_doc *t, int team,
                             const char *userid);

/* Invites the player to the team, and tells him who invites him.  1: done; 0: refused. */
int tournament_join_invite(struct request *q, const struct call *c, struct tournament_doc *t,
                           int team, const struct player_doc *p, struct err *e);

/* Takes a player who has asked into the team, and tells him. */
int tournament_join_accept(struct request *q, struct tournament_doc *t, int number, struct err *e);
