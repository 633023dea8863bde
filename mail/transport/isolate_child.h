/* The child's side of isolate.h, and the frames between the two: a struct
 * isolate_request asks, a struct isolate_reply and the bytes of a mail answer. */
#pragma once

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
	uint32_t oversize; /* NEXT, when rc is 1; of a probe its end */
	int64_t received;  /* the same */
	char id[256];      /* NEXT: of the mail, or of the one that can't be fetched */
	char text[sizeof((struct err *)0)->text];
};

/* The first frame to the child: the account, as isolate_write_account() makes it. */
#define ISOLATE_ACCOUNT_MAX 65536

#define ISOLATE_PROGRAM "pbm-net"
#define ISOLATE_MEMORY (512ul << 20)

void isolate_write_account(const struct mail_account *acc, struct str *out);

/* Starts a child for this account and sends it: the file or the output of the command that the
 * secret is in becomes the first descriptor that the child keeps, and this program reads nothing of
 * it.  Errors as child_zygote_bear(); ERR_TEMP: the command failed. */
int isolate_begin(struct child *c, struct child_plan *plan, const struct mail_account *acc,
                  struct err *e);

/* The child's secret and first frame.  <0: there is nothing to do, or the parent is gone. */
int isolate_read_account(struct child *parent, struct arena *a, struct mail_account *out);
int isolate_reply(struct child *parent, int rc, const struct mail_raw *mail, const struct err *why);

/* A child's texts must not control a terminal: makes them printable and ends them inside the
 * field. */
void isolate_clean(char *text, size_t size);

/* The frames of a sink, which sends the first one of the source's, too.  A question is many
 * mails: envelope sender and recipient, each with its NUL, the milliseconds in which it may be begun
 * as an int64_t, the length as a uint64_t, the bytes.
 * Without a mail it ends the child.  An answer: the result of send(), then each mail's outcome. */
#define ISOLATE_SEND_MAX (256u << 20)
struct isolate_outcome {
	int32_t rc, code; /* code: of the error */
	uint32_t untried;
	char text[sizeof((struct err *)0)->text];
};

typedef int source_opener(const struct mail_account *acc, struct mail_source *out, struct err *e);

/* The child's work, as in child_job.serve.  The second descriptor that it keeps is memory shared with the
 * parent: a struct mail_raw, the mail that the child is at. */
void isolate_serve(struct child *parent, source_opener *open);

/* The same for sink_smtp_open(), and for mail_probe(), whose end is the reply's oversize. */
void isolate_serve_smtp(struct child *parent, void *arg);
void isolate_serve_probe(struct child *parent, void *arg);
