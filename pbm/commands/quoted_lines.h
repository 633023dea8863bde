/* Commands that a mail only quotes: amid prose, in quotation marks or stars, or indented.  "You say that I
 * should answer", and below it "accept 3", asks for nothing. */
#pragma once

#include "pbm/commands/play/withhold.h"

/* The text without such lines; *w says which they were.  A mail that marks its commands from the top,
 * and one with little prose, means them. */
const char *quoted_lines_cut(struct request *q, const char *text, struct withheld *w);
