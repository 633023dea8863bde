/* Typographic signs of a command line as plain ASCII. */
#ifndef MAIL_PLAIN_H
#define MAIL_PLAIN_H

#include "pbm/base/mem.h"

/* Typographic kindness for a command line: NBSP and zero-width characters,
 * smart quotes, long dashes, full-width forms and BOM become plain ASCII;
 * quotes or stars around the whole line go. */
const char *plain_line(struct arena *a, const char *line);

#endif
