/* The child's side of the sandbox. */
#ifndef MAIL_SANDBOX_SANDBOX_CHILD_H
#define MAIL_SANDBOX_SANDBOX_CHILD_H

#include "mail/sandbox/sandbox_inside.h"

/* The child: gives up what it was born with, then answers until fd is closed. */
_Noreturn void sandbox_serve(const struct mail_sandbox *s, int fd, pid_t parent);

#endif
