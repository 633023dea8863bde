/* The looks of a text, in the letters and digits of ASCII: names that a reader can't tell apart
 * have the same skeleton.  Knows accents, Greek, Cyrillic and other letters that look like Latin
 * ones, wide, bold and circled ones.  Never a judgement: pbm/people/naming.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes the skeleton of text to buf of size bytes, cut if it is longer.  ASCII letters keep
 * their case, others become small ones; marks that add nothing of their own to a letter
 * vanish; everything else is a blank. */
void skeleton_of(const char *text, char *buf, size_t size);

/* Do letters of several alphabets stand in one word, or a letter of ASCII beside a sign whose looks
 * are not known here? */
bool skeleton_is_mixed(const char *text);
