/* Encodes text as lines of a mail: folded header fields, encoded words (RFC 2047),
 * quoted-printable (RFC 2045).  Inside a header field every line end that it writes is
 * followed by a space, whatever the text contains. */
#pragma once

#include <stdbool.h>

#include "pbm/base/str.h"

/* Adds "Name: value" and CRLF; value is UTF-8, one line. */
void encode_field(struct str *out, const char *name, const char *value);

/* Adds "Name: display <addr>" and CRLF; display may be "".  addr is not changed: the
 * caller has checked it with address_valid(). */
void encode_mailbox(struct str *out, const char *name, const char *display, const char *addr);

/* Can the body go out without an encoding? */
bool encode_is_7bit(const char *text);

/* Adds the body with CRLF line ends, one at its end too. */
void encode_7bit(struct str *out, const char *text);

/* The same in quoted-printable.  Control characters are left out, malformed UTF-8 is
 * replaced. */
void encode_quoted_printable(struct str *out, const char *text);

/* Can HTML go out without an encoding, its characters beyond ASCII written as numbers? */
bool encode_html_fits(const char *html);

/* Adds such HTML with CRLF line ends, one at its end too; "ä" becomes "&#228;". */
void encode_html(struct str *out, const char *html);

/* Adds n bytes as lines of base64 with CRLF, one at the end too. */
void encode_base64(struct str *out, const void *bytes, size_t n);
