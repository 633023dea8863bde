/* A struct mail as bytes between parent and child. */
#ifndef MAIL_SANDBOX_SANDBOX_WIRE_H
#define MAIL_SANDBOX_SANDBOX_WIRE_H

#include "mail/sandbox/sandbox_inside.h"

/* Reads it, trusting nothing: returns the code and fills these fields of *m, or *e.  ERR_UNCERTAIN: that is no answer. */
int sandbox_read(struct arena *a, const char *bytes, size_t n, struct mail *m, struct err *e);

/* What the parser said, as an answer. */
void sandbox_write(struct str *out, int rc, const struct mail *m, const struct err *e);

#endif
