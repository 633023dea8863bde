/* The child's side of the sandbox, and what it takes over from the parent. */
#pragma once

#include <stdint.h>

#include "mail/mail.h"
#include "pbm/base/child.h"

typedef int sandbox_parser(struct arena *a, const char *bytes, size_t len, struct mail *out,
                           struct err *e);

/* The child's argument. */
struct sandbox_job {
	sandbox_parser *parse; /* NULL: parse_any() */
	uint64_t charsets;     /* that the mail may need, as charset_find() returns them */
};

/* A mail that is being parsed before anybody asks for it. */
struct sandbox_ahead {
	struct child child;
	char *bytes; /* of the mail */
	size_t len;
};

struct mail_sandbox {
	struct child child; /* for the next mail */
	struct child later; /* for the next mail */
	struct child done;  /* has answered, and ends */
	struct sandbox_ahead ahead[2];
	unsigned turn; /* ahead[turn] began last */
	bool busy;     /* there was a mail already: there may be more */
	struct child_plan plan;
	sandbox_parser *parse; /* NULL: parse_any(); a test's worse one, with a plan for a fork */
	uint64_t loaded;       /* charsets that the children have */
};

/* The job of pbm-parse, with a struct sandbox_job as argument: takes one question, a mail, and
 * answers with the text of sandbox_write(). */
#define SANDBOX_JOB "parse"
extern const struct child_job sandbox_parse;
