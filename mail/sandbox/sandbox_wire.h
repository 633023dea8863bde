/* The answer of the sandbox's child, as bytes: a code of enum err_code as int32_t, then texts,
 * each with its NUL.  After a failure the only text is the reason; else they are the mail's
 * from_name, subject, text, report, report_type and returned. */
#pragma once

#include "mail/mail.h"
#include "pbm/base/str.h"

#define SANDBOX_ANSWER_MAX (256u * 1024) /* bytes */

/* Reads an answer, trusting nothing in it: returns its code and fills these fields of *m,
 * or *e.  ERR_UNCERTAIN: the bytes are no answer.  The texts are in the arena. */
int sandbox_read(struct arena *a, const char *bytes, size_t n, struct mail *m, struct err *e);

/* Writes the parser's result rc, with its mail or its error, as an answer. */
void sandbox_write(struct str *out, int rc, const struct mail *m, const struct err *e);
