/* Decodes quoted-printable (RFC 2045 §6.7) and the Q encoding of encoded words (RFC
 * 2047 §4.2).  A "=" that begins no valid code stays: some mails declare
 * quoted-printable wrongly, and "e8=Q" must remain a promotion. */
#pragma once

#include <stdbool.h>

#include "pbm/base/str.h"

/* The value of a hexadecimal digit, or -1. */
int quoted_hex(char c);

/* Decodes p to end and adds it to *out.  word: the text of an encoded word, in which
 * _ is a space. */
void quoted_decode(const char *p, const char *end, bool word, struct str *out);
