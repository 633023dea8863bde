/* The child's side of isolate.h, and the frames between the two: a struct
 * isolate_request asks, a struct isolate_reply and the bytes of a mail answer. */
#ifndef MAIL_TRANSPORT_ISOLATE_CHILD_H
#define MAIL_TRANSPORT_ISOLATE_CHILD_H

#include <stdint.h>

#include "mail/transport/isolate.h"
#include "pbm/base/child.h"

enum isolate_verb {
	ISOLATE_NEXT,
	ISOLATE_RESUME,
	ISOLATE_SETTLE,
	ISOLATE_FLUSH,
	ISOLATE_PRUNE,
	ISOLATE_CLOSE
};

struct isolate_request {
	uint32_t verb;
	uint32_t fate;         /* SETTLE, PRUNE */
	uint64_t max;          /* NEXT */
	int64_t before, bytes; /* PRUNE */
	char id[256];          /* RESUME, SETTLE */
};

/* The child sends the first reply unasked: whether the source could be opened. */
struct isolate_reply {
	int32_t rc;
	uint32_t oversize; /* NEXT, when rc is 1 */
	int64_t received;  /* the same */
	char id[256];      /* NEXT: of the mail, or of the one that can't be fetched */
	char text[sizeof((struct err *)0)->text];
};

/* The first frame to the child: the account, as isolate_write_account() makes it. */
#define ISOLATE_ACCOUNT_MAX 65536

void isolate_write_account(const struct mail_account *acc, struct str *out);

/* The child's argument.  The descriptor that it keeps is memory shared with the parent: a
 * struct mail_raw, the mail that the child is at. */
struct isolate_job {
	source_opener *open;
};

/* The child's work, as child_plan.serve; arg is a struct isolate_job. */
void isolate_serve(struct child *parent, void *arg);

#endif
