/* Turns that prose names, in notation or in words, in English, in the sender's letters or in German
 * ones.  The rules of the game say which words can be turns. */
#pragma once

#include "games/rules.h"
#include "pbm/commands/words/sentence.h"
#include "pbm/request/request.h"

#define PROSE_TURNS_MAX 4

/* The turn of position p that begins with word i, "Nc3" or "knight to c3"; *next: the word after it.
 * It need not be legal: "e4 d4" is one if it is, else e4.  NULL: none begins there. */
const char *prose_turn_at(struct request *q, const struct match *m, const struct pos *p,
                          const struct prose_sentence *s, size_t i, size_t *next);

/* Reads it as a legal turn of position p, or as the first part of one, "d4" of "d4,a6". */
bool prose_turn_reads(struct request *q, const struct match *m, const struct pos *p,
                      const char *word, struct move *mv);

/* The legal turns of position p that the text names, as SAN, each once and at most PROSE_TURNS_MAX: "I
 * think it's Ra8", "the knight should go to d4".  Returns their number.  text may be NULL. */
size_t prose_turn_named(struct request *q, const struct match *m, const struct pos *p,
                        const char *text, const char *out[PROSE_TURNS_MAX]);

/* The only one.  NULL: the text names none, or several. */
const char *prose_turn_only(struct request *q, const struct match *m, const struct pos *p,
                            const char *text);
