/* Who speaks: From and the reply tokens of a mail against the players' confirmed
 * addresses.  Passwords come later, with the command that carries them. */
#ifndef PBM_PEOPLE_IDENTIFY_H
#define PBM_PEOPLE_IDENTIFY_H

#include <stdbool.h>

#include "pbm/request/request.h"

/* Fills q->who.  operator: pbm talk made the mail, From is proved.  <0: the
 * store failed. */
int identify(struct request *q, bool operator, struct err * e);

/* Does password belong to p?  Constant time; tries for one player are capped an
 * hour, then even the right one is refused.  1 yes, 0 no, <0 store error. */
int identify_password(struct request *q, const struct player_doc *p, const char *password,
                      struct err *e);

/* libsodium's argon2id string, in the arena. */
const char *identify_hash(struct arena *a, const char *password);

#endif
