/* parse_any() for strangers' mail: in a child process that may neither open,
 * send nor start anything, nor take long, nor keep what it took.  The child is
 * started by the first mail, serves many, and is replaced when one of them
 * crashes it or makes it overrun.  It says how the sender's name, the subject and
 * the text read; who wrote, and to which address, is never taken from it. */
#ifndef MAIL_SANDBOX_SANDBOX_H
#define MAIL_SANDBOX_SANDBOX_H

#include "mail/mail.h"

/* Of one mail. */
#define MAIL_SANDBOX_CPU 2     /* seconds at most, 1 at least */
#define MAIL_SANDBOX_SECONDS 5 /* by the clock on the wall */
#define MAIL_SANDBOX_MEMORY (256L * 1024 * 1024)

struct mail_sandbox;

/* Starts no process yet.  forget (NULL is fine) is called in each new child with
 * arg, to wipe from its memory what no parser needs to know. */
MEM_NONNULL struct mail_sandbox *mail_sandbox_new(void (*forget)(void *arg), void *arg);

/* gate_check() here, then what parse_any() does, with the same results.  Besides
 * their errors: ERR_BAD, the parser crashed on the mail, or took too long, or
 * too much memory; ERR_SYSTEM: there is no child to be had.  Its own mails only:
 * SIGCHLD must not be ignored, and nobody else may reap the child. */
int mail_sandbox_parse(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                       struct mail *out, struct err *e);

/* Ends the child; the next mail starts another one. */
void mail_sandbox_rest(struct mail_sandbox *s);
void mail_sandbox_free(struct mail_sandbox *s); /* NULL is fine */

#endif
