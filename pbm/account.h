/* Names of accounts: what may be one. */
#ifndef PBM_ACCOUNT_H
#define PBM_ACCOUNT_H

#include "pbm/request.h"

/* Shape, reserved words, taken names and their look-alikes.  0: free; 1: not,
 * and the sender is told why and what would do; <0: the store failed. */
int account_name_is_free(struct request *q, const char *userid, struct err *e);

#endif
