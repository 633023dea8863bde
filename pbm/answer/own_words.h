/* Tells sentences of the program's own mails, in any language, from those of other people. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Does each line of the text, a paragraph with single blanks, begin like a sentence that the program
 * writes or like a line of a mail's template?  False, too, for more paragraphs than a mail of ours
 * has.  override_dir: the site's own templates, or NULL.  A short sentence with much put in fits
 * other people's words as well. */
bool own_words_only(const char *override_dir, const char *paragraphs);

/* own[i]: paragraph i of n, with single blanks, certainly begins like such a sentence. */
void own_words_find(const char *override_dir, const char *const *paragraphs, size_t n, bool *own);
