/* Tells sentences of the program's own mails, in any language, from those of other people. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Does each line of the text, a paragraph with single blanks, begin like a sentence that the program
 * writes or like a line of a mail's template?  False, too, for more paragraphs than a mail of ours
 * has.  override_dir: the site's own templates, or NULL.  A short sentence with much put in fits
 * other people's words as well. */
bool own_words_only(const char *override_dir, const char *paragraphs);

enum own_words {
	OWN_WORDS_NOT,
	OWN_WORDS_LIKELY, /* a sentence with much put in */
	OWN_WORDS_SURE    /* one that begins with many words of its own */
};

/* own[i]: does paragraph i of n, with single blanks, begin with such a sentence, and a whole one? */
void own_words_find(const char *override_dir, const char *const *paragraphs, size_t n,
                    enum own_words *own);
