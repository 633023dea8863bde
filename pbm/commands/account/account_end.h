/* The end of an account: its running games and offers are ended, its addresses, password and
 * settings are erased, and its name stays reserved.  It never asks; cmd_leave.c does. */
#pragma once

#include "pbm/request/request.h"

#define ACCOUNT_END_GAMES 50 /* games and offers that one mail can end */

/* Can an address other than `from` still take back a change of the account?  <0: the store
 * failed. */
int account_end_is_open(struct request *q, const char *userid, const char *from, struct err *e);

/* May the sender of this mail delete the account?  Only its oldest address may, and not while
 * another address can still take back a change of the account: so nobody who gets into an
 * account can destroy it before its owner notices.  false: refused. */
bool account_end_may(struct request *q, const struct player_doc *p);

/* Ends the account.  anonymous: its games carry the name deleted-N from now on.  All its
 * addresses are told.  A refusal changes nothing. */
int account_end(struct request *q, const struct player_doc *p, bool anonymous, struct err *e);
