/* Lists of words in one string, with blanks between them: a player's list noplay, a game's
 * options.  A word may be "name=value".  Letter case of names is ignored; NULL is an empty
 * list. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"

/* The next word of *rest, and its length; *rest moves past it.  NULL: there is none. */
const char *word_list_next(const char **rest, size_t *len);

size_t word_list_length(const char *list);

/* Is the word in the list? */
bool word_list_has(const char *list, const char *word);

/* The text after "name=", up to the next blank or the end; NULL: the name is not there. */
const char *word_list_value(const char *list, const char *name);

/* The list with one more word at its end. */
const char *word_list_with(struct arena *a, const char *list, const char *word);

/* The list without the word, and without "word=…"; "" if nothing is left. */
const char *word_list_without(struct arena *a, const char *list, const char *word);

/* Appends "a, b, c". */
void word_list_write(const char *list, struct str *out);
