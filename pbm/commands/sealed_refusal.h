/* The answer to a mail whose text can't be read.  The caller knows that it can't. */
#ifndef PBM_COMMANDS_SEALED_REFUSAL_H
#define PBM_COMMANDS_SEALED_REFUSAL_H

#include "pbm/request/request.h"

/* Says how the mail hides its text ("smime", "pgp", "tnef") and what to do. */
void sealed_refuse(struct request *q, const char *how);

#endif
