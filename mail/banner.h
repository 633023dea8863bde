/* The warnings that mail gateways put above mail from outside: "[EXTERNAL]",
 * "CAUTION: This email originated from outside of the organization", Outlook's "You
 * don't often get email from …".  Knows them by their words, in many languages, and
 * only at the beginning of a text. */
#pragma once

#include <stddef.h>

/* The offset in text of the first line after such warnings and the empty lines below
 * them; 0 when text begins with none.  text is UTF-8 with LF line ends.  It may be the
 * offset of the end: then text holds nothing else. */
size_t banner_end(const char *text);
