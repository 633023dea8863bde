/* Sentences of the program in another language.  The program writes its one-line answers in
 * English, with formats that stand in its source.  A catalogue has, for each such format, the
 * same sentence in another language.  A finished English sentence is compared with the
 * formats; the one that fits says it again in the other language, with the same names and
 * numbers.  So no room but this one knows of languages, a sentence can be told to readers of
 * several languages, and one that was stored in a game's document is translated as well.
 *
 * No text of a catalogue or a mail is ever given to printf(). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

struct sentences;

struct sentences *sentences_new(void);
void sentences_free(struct sentences *s);

/* Adds a sentence.  format is the literal of the source ("Board %lld has %zu %s."); said is
 * the translation, with the same conversions in the same order (%s, %d, %c, %f: the letter
 * says the kind, width and precision are not needed), or all of them numbered (%2$s).  Where
 * the text put in is to be translated too, t stands instead of s.  part: the sentence is used
 * only for such a text put in ("knight").  ERR_BAD when the conversions differ, or when the
 * format has hardly a letter of its own; ERR_CONFLICT when the format is there already; it may be there
 * as a sentence and as a part. */
int sentences_add(struct sentences *s, const char *format, const char *said, bool part,
                  struct err *e);

/* Adds the members of {"sentences": {format: said, …}, "parts": {…}}.  An entry that is
 * wrong is logged and left out.  Returns the number of such entries. */
size_t sentences_add_all(struct sentences *s, const json_t *catalogue, const char *name);

/* Appends the text with each sentence, line or column translated where the catalogue has it;
 * the rest stays English.  s may be NULL: nothing is translated.  The blanks at the
 * beginning of lines stay, and columns keep their places where they can.  A line that begins
 * with '|' quotes a player and stays as it is. */
void sentences_say(const struct sentences *s, const char *english, struct str *out);
