/* What parent and child of isolate.h say to each other: one request, one reply, in
 * the machine's own byte order.  For isolate.c and isolate_child.c only. */
#ifndef MAIL_TRANSPORT_ISOLATE_WIRE_H
#define MAIL_TRANSPORT_ISOLATE_WIRE_H

#include <stdint.h>
#include <sys/types.h>

#include "mail/transport/isolate.h"

enum isolate_verb { ISOLATE_NEXT, ISOLATE_RESUME, ISOLATE_SETTLE, ISOLATE_FLUSH, ISOLATE_CLOSE };

struct isolate_request {
	uint32_t verb;
	uint32_t fate; /* SETTLE */
	uint64_t max;  /* NEXT */
	char id[256];  /* RESUME, SETTLE */
};

/* The first one comes unasked: what opening gave. */
struct isolate_reply {
	int32_t rc;
	uint32_t oversize; /* from here on: NEXT, when rc is 1 */
	int64_t received;
	uint64_t len; /* so many bytes follow */
	char id[256];
	char text[sizeof((struct err *)0)->text];
};

/* The child's life; never returns.  at is shared with the parent, which finds the mail
 * there whose bytes were asked for last. */
_Noreturn void isolate_child(int fd, pid_t parent, source_opener *open,
                             const struct mail_account *acc, struct mail_raw *at);

#endif
