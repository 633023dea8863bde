/* parse_any() for strangers' mail, in a child process that can't open, send or start anything,
 * with limited time and memory.  Each mail has a child of its own, which comes from the zygote
 * (pbm/base/child_zygote.h), so that its memory has no secret and no other mail.  The child
 * reads the sender's name, the subject and the text.  The parent itself reads the sender's and
 * recipients' addresses. */
#pragma once

#include "mail/mail.h"

/* Of one mail. */
#define MAIL_SANDBOX_CPU 2     /* seconds of processor time at most, 1 at least */
#define MAIL_SANDBOX_SECONDS 5 /* by the clock; a child that is late gets one successor */
#define MAIL_SANDBOX_MEMORY (256L * 1024 * 1024)

struct mail_sandbox;

/* Starts no process yet. */
MEM_NONNULL struct mail_sandbox *mail_sandbox_new(void);

/* Lets mails be parsed where the kernel refuses the filter of system calls.  The child then has
 * only the other limits. */
void mail_sandbox_allow_unfiltered(struct mail_sandbox *s);

/* Could a mail be parsed now?  Starts the child for the next mail.  1: yes, but without the
 * filter, as mail_sandbox_allow_unfiltered() allows.  ERR_UNFILTERED: the kernel refuses the
 * filter; ERR_SYSTEM: no child could be started. */
int mail_sandbox_check(struct mail_sandbox *s, struct err *e);

/* gate_check() here, then parse_any() in the child, with the same results.  Besides their
 * errors: ERR_BAD when the mail crashed the parser, or took too long or too much memory;
 * ERR_SYSTEM when no child could be started, or another process killed it; and the
 * errors of mail_sandbox_check().  child.h says what it asks of the process. */
int mail_sandbox_parse(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                       struct mail *out, struct err *e);

/* Lets a child begin with this mail, while the program works on the one before it.
 * mail_sandbox_parse() for the same bytes takes that child's answer.  Only the last two mails
 * ahead count. */
void mail_sandbox_ahead(struct mail_sandbox *s, const char *bytes, size_t len);

/* Ends the children that wait or work ahead; the next mail starts another one. */
void mail_sandbox_stop(struct mail_sandbox *s);
void mail_sandbox_free(struct mail_sandbox *s); /* NULL is fine */
