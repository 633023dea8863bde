/* The child's side of the sandbox, and what it takes over from the parent. */
#ifndef MAIL_SANDBOX_SANDBOX_CHILD_H
#define MAIL_SANDBOX_SANDBOX_CHILD_H

#include "mail/mail.h"
#include "pbm/base/child.h"

typedef int sandbox_parser(struct arena *a, const char *bytes, size_t len, struct mail *out,
                           struct err *e);

struct mail_sandbox {
	struct child child;
	sandbox_parser *parse; /* parse_any(); tests put in a worse one */
	void (*forget)(void *arg);
	void *arg;
	unsigned mails;  /* after so many, a new child takes the place of the old one */
	unsigned served; /* by the child that lives */
};

/* A sealed child, for child_start() with a struct mail_sandbox.  A question is a mail, an
 * answer what sandbox_write() makes of it. */
extern const struct child_plan sandbox_plan;

#endif
