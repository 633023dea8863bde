/* Acts of moderators that are about no board: mod report, mod broadcast, and messages to the players
 * of a tournament.  Handlers of the tables in cmd_mod.c and cmd_mod_tournament.c. */
#pragma once

#include "pbm/commands/words/command.h"

struct tournament_doc;

int cmd_mod_club_read_report(struct request *q, struct call *c, struct err *);
int cmd_mod_club_report(struct request *q, struct call *c, struct err *e);

int cmd_mod_club_read_broadcast(struct request *q, struct call *c, struct err *e);
int cmd_mod_club_broadcast(struct request *q, struct call *c, struct err *e);

/* "mod tournament spring message": the director's words to the players of a tournament, once in an
 * hour.  Is there a text, and a player?  If not, says why. */
bool cmd_mod_club_can_message(struct request *q, struct call *c, struct tournament_doc *t);
int cmd_mod_club_message(struct request *q, struct call *c, struct tournament_doc *t,
                         struct err *e);
