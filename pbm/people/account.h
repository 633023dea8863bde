/* Checks the names of new accounts. */
#ifndef PBM_PEOPLE_ACCOUNT_H
#define PBM_PEOPLE_ACCOUNT_H

#include "pbm/request/request.h"

/* Is this a word that a command line can begin with?  Such a word is no userid.  The caller
 * gives the answer, because the command table stands in a room above this one. */
typedef bool account_word_fn(const char *word);

/* Checks the shape of userid, and that it is no reserved word, not taken, and not easily
 * mistaken for a taken one.  0: it is free.  1: it is not, and *why tells the person why
 * and which userid would do.  <0: the store failed. */
int account_check_name(struct store *store, struct arena *a, const char *userid, int64_t now,
                       account_word_fn *is_command, struct err *why, struct err *e);

/* As account_check_name(); the sender of the mail is told what is wrong. */
int account_name_is_free(struct request *q, const char *userid, account_word_fn *is_command,
                         struct err *e);

#endif
