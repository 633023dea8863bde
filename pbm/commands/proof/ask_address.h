/* Asks addresses whether they belong to a player: of a signup, or of an account that adds one.
 * confirm.h has what the answer does. */
#pragma once

#include "pbm/request/request.h"

#define ADDRESSES_A_DAY 10   /* questions about addresses that one sender causes */
#define ADDRESSES_OF_ALL 500 /* ... and that all senders together cause in an hour */

/* Is that a mailbox of a machine itself, as root@localhost, while the server's host has a name of the
 * internet?  Its owner is no player. */
bool ask_address_is_local(const struct request *q, const char *address);

/* Asks addrs[i] whether it belongs to userid.  With signup the answer makes the account,
 * with all n addresses and the password hash (or NULL); else the account exists and
 * lists the address.  replaces: the address of the account that the answer removes, or NULL.
 * 1: asked; 0: too many questions already. */
int ask_address(struct request *q, const char *userid, const char *const *addrs, size_t n, size_t i,
                bool signup, const char *hash, const char *replaces, struct err *e);
