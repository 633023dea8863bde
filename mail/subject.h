/* What a Subject says without its prefixes. */
#ifndef MAIL_SUBJECT_H
#define MAIL_SUBJECT_H

#include "pbm/base/mem.h"

/* The subject without Re:, Fwd:, their localised kin, counters, [list tags]
 * and our own trailing " **". */
const char *subject_base(struct arena *a, const char *subject);

#endif
