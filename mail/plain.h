/* Turns the typographic characters of a command line into ASCII, so that a move
 * copied from a web page or written by a phone is understood.  For one line of
 * commands; never for text that is stored or shown. */
#pragma once

#include <stdint.h>

#include "pbm/base/mem.h"

/* The ASCII characters that c looks like, "" when nobody sees it, or NULL: none.  wide holds the
 * answer where c is a full-width form.  Knows no letters of other alphabets. */
const char *plain_of(uint32_t c, char wide[2]);

/* Replaces or removes no-break spaces, zero-width characters, smart quotes, long
 * dashes, full-width forms, chess figurines, the byte order mark, and
 * Cyrillic letters in the name of a square.  Removes quotes
 * or stars around the whole line. */
const char *plain_line(struct arena *a, const char *line);
