/* Takes a text of prose apart into sentences, and these into words, and says which words have the
 * shape of a turn.  Knows no position. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"
#include "pbm/text/words.h"

#define SENTENCE_WORDS 40 /* the words after them are not looked at */

struct prose_sentence {
	const char *text; /* the whole sentence, without blanks around it */
	size_t n;
	struct {
		const char *start; /* in text */
		const char
			*word; /* without punctuation around it and without the number of a turn */
		bool mark;     /* punctuation follows */
	} v[SENTENCE_WORDS];
};

/* The first sentence of text.  Returns where the next one begins; NULL: there is none. */
const char *sentence_next(struct arena *a, const char *text, struct prose_sentence *out);

/* Has the word a square, or the form of castling? */
bool sentence_is_turn(const char *word);

/* The word, counted from i, with which the text at least n bytes after word i begins. */
size_t sentence_skip(const struct prose_sentence *s, size_t i, size_t n);

/* Has the line words of sentences, or their marks: "Remove me from your list", "Leave it."? */
bool sentence_is_prose(const struct words *line);
