/* Acts of a director on the entries of a tournament, players and teams: "mod tournament" with
 * add and remove; and the record of his acts. */
#pragma once

#include "pbm/commands/words/command.h"
#include "store/document/tournament.h"

/* Adds an act on the tournament to the record of acts; players, why: may be NULL. */
int cmd_mod_entry_record(struct request *q, const struct call *c, const struct tournament_doc *t,
                         const char *what, const char *players, const char *why, struct err *e);

/* Stores a new tournament, and asks its invited entries to play; those who can't be asked are
 * left out, and the actor is told.  1: the host of a simul can't be asked, and nothing is
 * stored. */
int cmd_mod_entry_ask(struct request *q, const struct call *c, struct tournament_doc *t,
                      struct err *e);

/* add bob; with teams: add bob tigers.  Can it be done?  If not, says why. */
bool cmd_mod_entry_can_add(struct request *q, struct call *c, struct tournament_doc *t);
int cmd_mod_entry_add(struct request *q, struct call *c, struct tournament_doc *t, struct err *e);

/* remove bob why; with teams: remove team tigers why. */
bool cmd_mod_entry_can_remove(struct request *q, struct call *c, struct tournament_doc *t);
int cmd_mod_entry_remove(struct request *q, struct call *c, struct tournament_doc *t,
                         struct err *e);
