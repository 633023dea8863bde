/* Finds out which player sent a mail, from its From, its reply tokens and the
 * players' confirmed addresses.  Passwords are checked later, with the command that
 * contains them. */
#ifndef PBM_PEOPLE_IDENTIFY_H
#define PBM_PEOPLE_IDENTIFY_H

#include <stdbool.h>

#include "pbm/request/request.h"

/* Fills q->who.  by_operator: pbm talk made the mail, so From is proved.  <0: the
 * store failed. */
int identify_sender(struct request *q, bool by_operator, struct err *e);

/* Is this the password of p?  1: yes; 0: no; <0: the store failed.  Compares in
 * constant time.  The tries in an hour are limited; beyond the limit the right
 * password is refused too. */
int identify_password(struct request *q, const struct player_doc *p, const char *password,
                      struct err *e);

/* The argon2id hash of a password as libsodium writes it, in the arena; NULL when
 * libsodium fails. */
const char *identify_hash(struct arena *a, const char *password);

#endif
