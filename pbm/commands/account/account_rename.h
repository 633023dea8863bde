#include "pbm/request/act_record.h"
/* Another name for an account.  Its old name stays reserved, and leads on: to the player in
 * commands, tokens and Message-IDs, and to the player's pages in the archive. */
#pragma once

/* May the account have this name?  1: yes; 0: no, and *why says why; <0: the store failed. */
int account_rename_may(struct request *q, const struct player_doc *p, const char *to,
                       struct err *why, struct err *e);

/* Gives the account the name `to`, which account_rename_may() has allowed, in documents, lists
 * of other players and questions; records it and tells the player. */
int account_rename(struct request *q, const struct player_doc *p, const char *to,
                   const struct act_by *by, struct err *e);

/* Turns the name `from` into a name that leads to the account `to`: a part that renaming shares
 * with merging. */
int account_rename_lead_on(struct request *q, const struct player_doc *from, const char *to,
                           struct err *e);
