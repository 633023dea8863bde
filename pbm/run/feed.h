/* The mails of a run in their order.  A caller can look at a mail before its turn, and put it
 * back. */
#ifndef PBM_RUN_FEED_H
#define PBM_RUN_FEED_H

#include <stdbool.h>

#include "mail/transport/transport.h"

#define FEED_WAITING 2

struct feed {
	struct mail_source *source;
	size_t unfetched; /* mails that could not be fetched */
	size_t waiting;   /* of next[], the next one first */
	struct {
		struct mail_raw raw;
		int got; /* the result of feed_take() for it */
	} next[FEED_WAITING];
	struct err why; /* the error, if got is one */
};

/* The next mail that can be fetched: 1, and the caller releases *raw.  0: there are no more.
 * ERR_TEMP and others: the source fails. */
int feed_take(struct feed *f, struct mail_raw *raw, struct err *e);

/* Makes the mail the next one again. */
void feed_put_back(struct feed *f, const struct mail_raw *raw);

/* The next result of feed_take(), and *raw, which stays in f. */
int feed_peek(struct feed *f, const struct mail_raw **raw, struct err *e);

void feed_close(struct feed *f);

#endif
