/* Guesses the language of a short text by a person who greets or asks how to play, by counting
 * the words of each of eight languages.  Decides nothing else. */
#pragma once

#include <stddef.h>

/* "en", "de", "fr", "es", "it", "nl", "pt" or "ru"; NULL: the text has no known word.  Of
 * languages with equally many words the first one in this list counts. */
const char *greeting_language(const char *text);

/* The i-th language that greeting_language() knows; NULL after the last one. */
const char *greeting_code(size_t i);
