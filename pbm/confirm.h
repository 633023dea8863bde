/* Questions before acts.  Commands that came without a proof are held, and the
 * player whose name they used is asked, in one mail; an answer of "ok" runs
 * them, once, within CONFIRM_DAYS.  New addresses are confirmed the same way. */
#ifndef PBM_CONFIRM_H
#define PBM_CONFIRM_H

#include "pbm/request.h"

#define CONFIRM_DAYS 3
#define CONFIRMS_AN_HOUR 5           /* to one player; more are not asked about */

/* Holds the lines collected in q->held_lines, if any, and sets q->question. */
int confirm_ask(struct request *q, struct err *e);

/* Sends an address the question whether it belongs to userid.  hash: the
 * password of an account that this confirmation creates, or NULL. */
int confirm_address(struct request *q, const char *userid, const char *address,
                    const char *hash, struct err *e);

/* The confirm token of this mail was answered with ok: does what was held. */
int confirm_execute(struct request *q, struct err *e);

#endif
