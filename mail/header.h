/* The header of a mail, cut into fields, and the values of some fields.  Our own
 * code, because these fields decide who sent the mail: a library must not read them
 * in another way.  Addresses are address.h's. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "mail/mail.h"

/* Reads the header at bytes into out->fields and ->field_count.  Values are
 * unfolded and trimmed, valid UTF-8, their control characters replaced by spaces.
 * Skips a leading mbox "From " line.  A line of only white space continues its
 * field.  The header ends at an empty line, or before a line that is no field.
 * Returns the offset of the body. */
size_t header_read(struct arena *a, const char *bytes, size_t len, struct mail *out);

/* Decodes the encoded words of RFC 2047 in value to UTF-8 without control
 * characters.  Neighbouring words of one charset are joined before they are decoded,
 * because some mailers split a character between two words. */
char *header_decode(struct arena *a, const char *value);

/* A Date value (RFC 5322 §3.3, obsolete zones of §4.3 too) as Unix seconds; 0 when
 * it is no date. */
int64_t header_date(const char *value);

/* Appends the message ids of value in order, without <>, until out has max. */
void header_ids(struct arena *a, const char *value, struct mail_strings *out, size_t max);

/* The value of the topmost field of that name, in any letter case; or NULL. */
const char *header_field(const struct mail *m, const char *name);
