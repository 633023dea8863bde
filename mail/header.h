/* The header of a mail, read by our own few lines: these are the fields we
 * judge a mail by, so no other parser's idea of them counts. */
#ifndef MAIL_HEADER_H
#define MAIL_HEADER_H

#include <stddef.h>

#include "mail/mail.h"

/* Reads the header at bytes into out->fields and ->field_count: unfolded,
 * control characters made spaces, valid UTF-8, ends trimmed.  A leading mbox
 * "From " line is skipped; a line of white space continues its field; the
 * header ends at an empty line or before a line that is no field.  Returns the
 * offset of the body. */
size_t header_read(struct arena *a, const char *bytes, size_t len, struct mail *out);

/* The encoded words of RFC 2047 in value become UTF-8, without control
 * characters; neighbours of one charset are joined before they are decoded,
 * since mailers cut characters in two. */
char *header_decode(struct arena *a, const char *value);

/* RFC 5322 §3.3 and the obsolete zones, as Unix seconds; 0 when it is none. */
int64_t header_date(const char *value);

/* Appends the message ids of value, without <>, in their order, at most
 * max in all. */
void header_ids(struct arena *a, const char *value, struct mail_strings *out, size_t max);

/* First field of that name (case folded), or NULL. */
const char *header_field(const struct mail *m, const char *name);

#endif
