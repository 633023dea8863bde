/* Mails that wait in the outbox until a time (struct note: later).  Their Message-ID says that
 * they wait, so that they can be taken back.  Never writes a mail. */
#pragma once

#include "pbm/request/request.h"

/* The beginning of such a mail's Message-ID, and of no other mail's. */
#define LATER_MARK "later"

/* The tag that follows it: who wrote the texts (mailbox and name as hashes), the board, the time
 * until which it waits. */
const char *later_tag(struct request *q, const char *by, int64_t board, int64_t until);

/* Mails of the outbox. */
struct later_which {
	const struct player_doc *to; /* to the confirmed addresses of the account; NULL: to all */
	const char *by;              /* with texts from this player's mailbox; NULL: from any */
	int64_t board;               /* about this board; 0: about any */
	bool all;                    /* also the mails that don't wait for a time */
};

/* Lets such mails go now: the name to which they are bound will be another. */
int later_send(struct request *q, const struct later_which *which, struct err *e);

/* Takes such mails out of the outbox. */
int later_drop(struct request *q, const struct later_which *which, struct err *e);
