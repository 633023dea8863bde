/* Turns the typographic characters of a command line into ASCII, so that a move
 * copied from a web page or written by a phone is understood.  For one line of
 * commands; never for text that is stored or shown. */
#ifndef MAIL_PLAIN_H
#define MAIL_PLAIN_H

#include "pbm/base/mem.h"

/* Replaces or removes no-break spaces, zero-width characters, smart quotes, long
 * dashes, full-width forms, chess figurines, the byte order mark, and
 * Cyrillic letters in the name of a square.  Removes quotes
 * or stars around the whole line. */
const char *plain_line(struct arena *a, const char *line);

#endif
