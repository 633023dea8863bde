/* Refuses mails by counting, before any parser sees them. */
#ifndef MAIL_GATE_H
#define MAIL_GATE_H

#include <stddef.h>

#include "pbm/base/err.h"

/* A larger mail is refused unread: an operator sees it in the quarantine. */
#define MAIL_MAX_BYTES (256 * 1024)

/* Cheap limits by counting, on the raw bytes: size, header block, fields, line
 * and nesting limits, boundary parameters, NULs.  ERR_LIMIT or ERR_BAD with the
 * reason; such a mail is quarantined.  Never recursive, linear time. */
int gate_check(const char *bytes, size_t len, struct err *e);

#endif
