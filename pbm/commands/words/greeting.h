/* Guesses the language of a short text by a person who greets or asks how to play, by counting
 * the words of each of eight languages.  Decides nothing else. */
#pragma once

#include <stddef.h>

/* "en", "de", "fr", "es", "it", "nl", "pt" or "ru"; NULL: the text has no known word.  Of
 * languages with equally many words the first one in this list counts. */
const char *greeting_language(const char *text);

/* Greetings, and the usual words of a question how to play, in small letters; NULL ends each list.
 * From greeting.words. */
extern const char *const greeting_en[],
	*const greeting_de[], *const greeting_fr[],
				      *const greeting_es[],
					      *const greeting_it[],
						      *const greeting_nl[],
							      *const greeting_pt[],
								      *const greeting_ru[];

/* The i-th language that greeting_language() knows; NULL after the last one. */
const char *greeting_code(size_t i);
