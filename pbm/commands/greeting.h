/* The language of a short text by somebody who greets or asks how to play.  Counts the words
 * of the whole text that a language has; knows eight languages.  Decides nothing else. */
#ifndef PBM_COMMANDS_GREETING_H
#define PBM_COMMANDS_GREETING_H

#include <stddef.h>

/* "en", "de", "fr", "es", "it", "nl", "pt" or "ru"; NULL: the text has no word that is
 * known.  Of two languages with as many words the first one in this list counts. */
const char *greeting_language(const char *text);

/* The i-th language that greeting_language() knows; NULL after the last one. */
const char *greeting_code(size_t i);

#endif
