/* Another name for an account.  Its old name stays reserved, and leads on: to the player in
 * commands, tokens and Message-IDs, and to the player's pages in the archive. */
#ifndef PBM_COMMANDS_ACCOUNT_RENAME_H
#define PBM_COMMANDS_ACCOUNT_RENAME_H

#include "pbm/commands/standing.h"

/* May the account have this name?  1: yes; 0: no, and *why says why; <0: the store failed. */
int account_rename_may(struct request *q, const struct player_doc *p, const char *to,
                       struct err *why, struct err *e);

/* Gives the account the name `to`, which account_rename_may() let through, in documents, lists
 * of other players and questions; records it and tells the player. */
int account_rename(struct request *q, const struct player_doc *p, const char *to,
                   const struct act_by *by, struct err *e);

/* The parts of it that a merge needs, too: everything of the account `from`, of which only
 * the name is kept, becomes that of `to`, which has a document. */
int account_rename_lead_on(struct request *q, const struct player_doc *from, const char *to,
                           struct err *e);

#endif
