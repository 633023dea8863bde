/* parse_any() for strangers' mail, in a child process that may neither open, send nor start
 * anything, and whose time and memory are limited.  The first mail starts the child; it
 * serves many mails, and another one replaces it when a mail crashes it or takes too long.
 * The child reads the sender's name, the subject and the text.  The parent reads for itself
 * who wrote the mail, and to which address. */
#ifndef MAIL_SANDBOX_SANDBOX_H
#define MAIL_SANDBOX_SANDBOX_H

#include "mail/mail.h"

/* Of one mail. */
#define MAIL_SANDBOX_CPU 2     /* seconds of processor time at most, 1 at least */
#define MAIL_SANDBOX_SECONDS 5 /* by the clock */
#define MAIL_SANDBOX_MEMORY (256L * 1024 * 1024)

struct mail_sandbox;

/* Starts no process yet.  forget (NULL is fine) is called with arg in each new child, to
 * wipe secrets from its memory. */
MEM_NONNULL struct mail_sandbox *mail_sandbox_new(void (*forget)(void *arg), void *arg);

/* gate_check() here, then parse_any() in the child, with the same results.  Besides their
 * errors: ERR_BAD when the mail crashed the parser, or took too long or too much memory;
 * ERR_SYSTEM when no child could be started, or another process killed it.  child.h says what it asks of the process. */
int mail_sandbox_parse(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                       struct mail *out, struct err *e);

/* Ends the child; the next mail starts another one. */
void mail_sandbox_stop(struct mail_sandbox *s);
void mail_sandbox_free(struct mail_sandbox *s); /* NULL is fine */

#endif
