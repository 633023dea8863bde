/* Merges two accounts of one person: everything of the first goes into the second, whose
 * password, settings and role stay.  By mail a moderator asks for it, and one address of each
 * account must agree.  A merge can't be taken back. */
#pragma once

#include <jansson.h>

#include "pbm/request/act_record.h"
#include "store/store_held.h"

/* Can the accounts be merged?  1: yes; 0: no, and *why says why; <0: the store failed. */
int account_merge_may(struct request *q, const struct player_doc *from,
                      const struct player_doc *into, struct err *why, struct err *e);

/* Asks an address of each account. */
int account_merge_ask(struct request *q, const struct player_doc *from,
                      const struct player_doc *into, const struct act_by *by, struct err *e);

/* Is it the question to the first or the second account?  Its answer agrees; the second answer
 * merges. */
bool account_merge_is_question(const json_t *what);
int account_merge_answer(struct request *q, const struct held_command *h, const json_t *what,
                         struct err *e);

/* Merges two accounts that account_merge_may() has allowed. */
int account_merge(struct request *q, const struct player_doc *from, const struct player_doc *into,
                  const struct act_by *by, struct err *e);
