/* Text as the lines of a mail: folded header fields, encoded words (RFC 2047),
 * quoted-printable (RFC 2045).  Whatever the text is, nothing here writes a
 * line end that is not followed by a space inside a header field. */
#ifndef MAIL_COMPOSE_ENCODE_H
#define MAIL_COMPOSE_ENCODE_H

#include <stdbool.h>

#include "pbm/base/str.h"

/* "Name: value" and CRLF; value is UTF-8, one line. */
void encode_field(struct str *out, const char *name, const char *value);

/* A display name and <addr>, or only <addr> when the name is empty, after name
 * and a colon.  addr goes out as it is: the caller has checked it. */
void encode_mailbox(struct str *out, const char *name, const char *display, const char *addr);

/* A body of UTF-8 lines can go out as it is. */
bool encode_is_7bit(const char *text);

/* The body with CRLF line ends, one at its end too: as it is, or quoted-
 * printable.  Control characters are left out, malformed UTF-8 is replaced. */
void encode_7bit(struct str *out, const char *text);
void encode_quoted_printable(struct str *out, const char *text);

#endif
