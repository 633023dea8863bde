/* What the two sides of the sandbox share, for themselves and their tests.
 * Question: how many bytes, then the mail.  Answer: how many bytes, then a code
 * of enum err_code as int32_t and texts, each with its NUL: the reason, or name,
 * subject, text, report, its type, and the returned header. */
#ifndef MAIL_SANDBOX_INSIDE_H
#define MAIL_SANDBOX_INSIDE_H

#include <stdint.h>
#include <sys/types.h>

#include "mail/mail.h"
#include "pbm/base/str.h"

#define ANSWER_MAX (256u * 1024)

typedef int sandbox_parser(struct arena *a, const char *bytes, size_t len, struct mail *out,
                           struct err *e);

struct mail_sandbox {
	sandbox_parser *parse; /* mail_read(), unless a test puts in a worse one */
	void (*forget)(void *arg);
	void *arg;
	unsigned mails;  /* that one child serves: nothing is owed to it then */
	unsigned served; /* by the child that lives */
	pid_t child;     /* 0: none */
	int fd;          /* our end; the child's is its standard input */
	int64_t cpu;     /* seconds the child may have used in all */
};

/* The child: gives up what it was born with, then answers until fd is closed. */
_Noreturn void sandbox_serve(const struct mail_sandbox *s, int fd, pid_t parent);

/* What the parser said, as an answer. */
void sandbox_write(struct str *out, int rc, const struct mail *m, const struct err *e);

/* Reads it, trusting nothing: returns the code and fills these fields of *m, or *e.  ERR_UNCERTAIN: that is no answer. */
int sandbox_read(struct arena *a, const char *bytes, size_t n, struct mail *m, struct err *e);

#endif
