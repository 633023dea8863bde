/* Decides who may play in a tournament: entering, leaving, places that become free. */
#pragma once

#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/request/request.h"
#include "store/document/tournament.h"

/* NULL: the player may enter; else a sentence for him that says why not.  <0: the store. */
int tournament_entry_may(struct request *q, const struct tournament_doc *t,
                         const struct player_doc *p, const char **why, struct err *e);

/* 1: the actor may enter; 0: he may not, and is told why; <0: the store. */
int tournament_entry_admits(struct request *q, const struct tournament_doc *t,
                            const struct player_doc *p, struct err *e);

/* Answers him with text and the conditions. */
int tournament_entry_say(struct request *q, const struct tournament_doc *t, const char *userid,
                         const char *text, struct err *e);

/* Enters the player, or puts him on the waiting list; stores the document. */
int tournament_entry_add(struct request *q, struct tournament_doc *t, const char *userid,
                         struct err *e);

/* Takes an entry out of a tournament that has not begun.  The first player who waits gets the
 * place, and is told; of a team, its captain is told. */
int tournament_entry_drop(struct request *q, struct tournament_doc *t, int number, struct err *e);

/* Takes a whole team out: deletes its entries, or withdraws them after the start.  Its players
 * get the letter, which does not say who did it. */
int tournament_entry_drop_team(struct request *q, struct tournament_doc *t, int team,
                               const char *by, const struct tournament_letter *l, struct err *e);

/* Marks the entries of a player on ladders, before his games end: he has no place there any more. */
int tournament_entry_quit_ladders(struct request *q, const char *userid, struct err *e);

/* Takes a player who leaves the server, or loses his account, out of all tournaments. */
int tournament_entry_forget(struct request *q, const char *userid, struct err *e);

/* Renames a player or director in all tournaments, except in those where the new name has an
 * entry already. */
int tournament_entry_rename(struct request *q, const char *from, const char *to, struct err *e);

/* 1: there is a ladder or a tournament that has not ended and in which `one` plays and the other
 * player, or another account with the other's mailbox, and *name is its name; 0: there is none. */
int tournament_entry_meets(struct request *q, const char *one, const struct player_doc *other,
                           const char **name, struct err *e);
