/* The answer to a mail whose text can't be read.  The caller knows that it can't. */
#pragma once

#include "pbm/request/request.h"

/* Says how the mail hides its text ("smime", "pgp", "tnef") and what to do. */
void sealed_refuse(struct request *q, const char *how);
