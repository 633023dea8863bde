/* Moves with the letters of other languages: the German Sf3, the French Cf3, the figure of a
 * knight.  Knows the shape of moves only, and changes nothing else in a text. */
#pragma once

#include "pbm/base/str.h"

enum tongue { TONGUE_ENGLISH, TONGUE_FIGURINE, TONGUE_GERMAN, TONGUE_FRENCH, TONGUE_SPANISH };

/* Appends the text with the pieces of its moves in the letters of t. */
void notation_say(enum tongue t, const char *text, struct str *out);

/* Appends the text with the pieces of its first move, and of those after "then", in English
 * letters.  A letter that has an English meaning, too (the French and Spanish R, a king), stays. */
void notation_hear(enum tongue t, const char *text, struct str *out);
