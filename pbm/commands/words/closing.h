/* Finds the end of a letter, "Kind regards, Alice", which is no part of a comment.  Quotations
 * and signatures below "-- " were cut by mail/reply. */
#pragma once

#include "pbm/base/mem.h"

/* The text without a closing formula and at most one short line with a name below it; also
 * without "-Alice" or a line with the writer's userid at its end.  NULL: nothing is left. */
const char *closing_cut(struct arena *a, const char *text, const char *userid);
