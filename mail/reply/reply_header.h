/* Finds the header of the answered mail (From:, Sent:, Subject:), which Outlook and
 * others copy above it instead of quote marks. */
#pragma once

#include "mail/reply/reply_class.h"

/* The line after the copied header that begins at line i; i when none begins there.
 * after_rule: the line above announces a header ("---- Original Message ----", a
 * rule), so that fewer fields are enough. */
size_t reply_header_end(const struct reply_lines *l, size_t i, bool after_rule);
