/* Counts, and refuses mails that make MIME parsers slow, deep or unsafe, before any parser reads
 * them.  Reads the raw bytes once, in linear time and without recursion; decodes nothing and
 * takes no memory. */
#pragma once

#include <stddef.h>

#include "pbm/base/err.h"

/* A larger mail is never parsed.  Sources read at most so many bytes of a mail. */
#define MAIL_MAX_BYTES (256 * 1024)

/* Checks size, header block, number and length of fields, nesting, boundary
 * parameters (RFC 2046 §5.1.1) and NULs.  ERR_LIMIT or ERR_BAD, with the reason:
 * such a mail belongs into the quarantine. */
int gate_check(const char *bytes, size_t len, struct err *e);
