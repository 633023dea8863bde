/* Changes the addresses and passwords of an account, and so who may speak for it.  Every
 * confirmed address is told of a change.  The addresses that are at least as old as the one that
 * made it can take it back for some days, by answering with the word undo.  So a stranger who
 * adds one address to an account can't drive its owner out, and the owner can drive out the
 * stranger: a change ends the right of newer addresses to take earlier changes back. */
#pragma once

#include <jansson.h>

#include "pbm/request/request.h"
#include "store/store_held.h"

#define ACCOUNT_UNDO_DAYS 14

/* Stores `after` instead of `before`, the same account.  what: the change in a sentence, "The
 * password was changed." */
int account_change(struct request *q, const struct player_doc *before, struct player_doc *after,
                   const char *what, struct err *e);

int account_change_password(struct request *q, const struct player_doc *before, const char *hash,
                            struct err *e);

/* Tells one address of *p what was changed, without the right to take it back. */
int account_change_tell(struct request *q, const struct player_doc *p, const char *address,
                        const char *what, struct err *e);

/* Drops all questions of an account. */
int account_change_drop_questions(struct request *q, const char *userid, struct err *e);

/* Adds the confirmed addresses to *p that the account has given up and can still get back. */
int account_change_past(struct request *q, struct player_doc *p, struct err *e);

/* Is the answer to this question undo? */
bool account_change_is_undo(const json_t *what);

/* Takes back the change that the question h, with its contents *what, is about, and those
 * made after it; drops the account's other questions. */
int account_change_undo(struct request *q, const struct held_command *h, const json_t *what,
                        struct err *e);
