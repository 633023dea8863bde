/* The mails of a run in their order.  A caller can look at a mail before its turn, and put it
 * back. */
#ifndef PBM_RUN_MAIL_QUEUE_H
#define PBM_RUN_MAIL_QUEUE_H

#include <stdbool.h>

#include "mail/transport/transport.h"

#define MAIL_QUEUE_WAITING 2

struct mail_queue {
	struct mail_source *source;
	size_t unfetched; /* mails that could not be fetched */
	size_t waiting;   /* of next[], the next one first */
	struct {
		struct mail_raw raw;
		int got; /* the result of mail_queue_take() for it */
	} next[MAIL_QUEUE_WAITING];
	struct err why; /* the error, if got is one */
};

/* The next mail that can be fetched: 1, and the caller releases *raw.  0: there are no more.
 * ERR_TEMP and others: the source fails. */
int mail_queue_take(struct mail_queue *f, struct mail_raw *raw, struct err *e);

/* Makes the mail the next one again. */
void mail_queue_put_back(struct mail_queue *f, const struct mail_raw *raw);

/* The next result of mail_queue_take(), and *raw, which stays in f. */
int mail_queue_peek(struct mail_queue *f, const struct mail_raw **raw, struct err *e);

void mail_queue_close(struct mail_queue *f);

#endif
