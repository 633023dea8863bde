/* Undoing quoted-printable (RFC 2045 §6.7) and the Q of encoded words (RFC 2047
 * §4.2).  What is neither stays: "e8=Q" in a mail whose header promises what its
 * body does not keep is a promotion. */
#ifndef MAIL_QUOTED_H
#define MAIL_QUOTED_H

#include <stdbool.h>

#include "pbm/base/str.h"

/* Adds p up to end to *out, decoded.  word: of an encoded word, where _ is a
 * space. */
void quoted_decode(const char *p, const char *end, bool word, struct str *out);

#endif
