/* Tells sentences of the program's own mails, in any language, from those of other people. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The sentences of the program's catalogues, mails and help, in site.run.own_words: read once a run, and
 * not before they are needed.  override_dir: the site's own templates, or NULL. */
struct own_table;
struct own_table *own_words_open(const char *override_dir);
void own_words_close(struct own_table *t);

/* Does each line of the text, a paragraph with single blanks, begin like a sentence that the program
 * writes or like a line of a mail's template?  False, too, for more paragraphs than a mail of ours
 * has.  A short sentence with much put in fits other people's words as well. */
bool own_words_only(struct own_table *t, const char *paragraphs);

enum own_words {
	OWN_WORDS_NOT,
	OWN_WORDS_LIKELY, /* a sentence with much put in */
	OWN_WORDS_SURE,   /* one that begins with many words of its own */
	OWN_WORDS_ALONE /* one of so many that nobody writes it, though nothing else marks a copy */
};

/* Does the paragraph, with single blanks, begin with such a sentence, and a whole one? */
enum own_words own_words_judge(struct own_table *t, const char *paragraph);
