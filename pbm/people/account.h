/* Names of accounts: what may be one. */
#ifndef PBM_PEOPLE_ACCOUNT_H
#define PBM_PEOPLE_ACCOUNT_H

#include "pbm/request/request.h"

/* Shape, reserved words, taken names and their look-alikes.  0: free; 1: not,
 * and *why says why and what would do; <0: the store failed. */
int account_check_name(struct store *store, struct arena *a, const char *userid, int64_t now,
                       struct err *why, struct err *e);
/* The same; the sender is told. */
int account_name_is_free(struct request *q, const char *userid, struct err *e);

#endif
