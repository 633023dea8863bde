/* format=flowed (RFC 3676). */
#ifndef MAIL_FLOWED_H
#define MAIL_FLOWED_H

#include "pbm/base/mem.h"

/* format=flowed (RFC 3676): joins what was folded for transport.  delsp: the
 * space at a fold is no part of the text. */
char *flowed_join(struct arena *a, const char *text, int delsp);

#endif
