/* Checks the names of new accounts. */
#ifndef PBM_PEOPLE_ACCOUNT_H
#define PBM_PEOPLE_ACCOUNT_H

#include "pbm/request/request.h"

/* Checks the form of a userid, and compares it with reserved words, taken names and
 * names that look alike.  0: the name is free; 1: it is not, and *why says why and
 * suggests others; <0: the store failed. */
int account_check_name(struct store *store, struct arena *a, const char *userid, int64_t now,
                       struct err *why, struct err *e);
/* The same; a refusal is noted for the sender. */
int account_name_is_free(struct request *q, const char *userid, struct err *e);

#endif
