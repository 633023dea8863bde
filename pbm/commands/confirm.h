/* Questions before acts.  Commands that came without a proof are held, and the
 * player whose name they used is asked, in one mail; an answer of "ok" runs
 * them, once, within CONFIRM_DAYS.  New addresses are confirmed the same way. */
#ifndef PBM_COMMANDS_CONFIRM_H
#define PBM_COMMANDS_CONFIRM_H

#include "pbm/request/request.h"

#define CONFIRMS_AN_HOUR 5 /* to one player or address; more are not asked */
#define CONFIRMS_A_DAY 20
#define ADDRESSES_A_DAY 10   /* questions about addresses that one sender causes */
#define ADDRESSES_OF_ALL 500 /* ... and all senders in an hour */

/* Holds the lines collected in q->held_lines, if any, and sets q->question. */
int confirm_ask(struct request *q, struct err *e);

/* Sends addrs[i] the question whether it belongs to userid.  signup: the answer
 * makes the account, with all n addresses (hash: its password, or NULL); else
 * the account exists and has the address listed.  1: asked; 0: too many
 * questions already. */
int confirm_address(struct request *q, const char *userid, const char *const *addrs, size_t n,
                    size_t i, bool signup, const char *hash, struct err *e);

/* The confirm token of this mail was answered with ok: does what was held. */
int confirm_execute(struct request *q, struct err *e);

#endif
