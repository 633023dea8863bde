/* Text of format=flowed (RFC 3676): joins the lines that were folded for transport.
 * Quote marks and signatures stay. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

/* text has LF line ends.  delsp: DelSp=yes, the space at a fold is not part of the
 * text. */
char *flowed_join(struct arena *a, const char *text, bool delsp);
