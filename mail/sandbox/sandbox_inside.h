/* What the two sides of the sandbox share, for themselves and their tests.
 * Question: how many bytes, then the mail.  Answer: how many bytes, then a code
 * of enum err_code as int32_t and texts, each with its NUL: the reason, or name,
 * subject, text, report, its type, and the returned header. */
#ifndef MAIL_SANDBOX_SANDBOX_INSIDE_H
#define MAIL_SANDBOX_SANDBOX_INSIDE_H

#include <stdint.h>
#include <sys/types.h>

#include "mail/mail.h"
#include "pbm/base/str.h"

#define ANSWER_MAX (256u * 1024)

typedef int sandbox_parser(struct arena *a, const char *bytes, size_t len, struct mail *out,
                           struct err *e);

struct mail_sandbox {
	sandbox_parser *parse; /* parse_any(), unless a test puts in a worse one */
	void (*forget)(void *arg);
	void *arg;
	unsigned mails;  /* that one child serves: nothing is owed to it then */
	unsigned served; /* by the child that lives */
	pid_t child;     /* 0: none */
	int fd;          /* our end; the child's is its standard input */
	int64_t cpu;     /* seconds the child may have used in all */
};

#endif
