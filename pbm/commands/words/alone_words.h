/* Words that act: "resign", "accept" and the like change or end a game at once.  So they act
 * only when their line has nothing else but their arguments, a full stop or an exclamation mark,
 * and thanks.  Knows words only; runs nothing. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

/* Is it such a word (of the table, no alias)?  Prefixes of such words are not understood either. */
bool alone_words_has(const char *word);

/* Does the text hold "but", "not", "if", a question mark and the like? */
bool alone_words_is_doubtful(const char *text);

/* All that can be claimed. */
extern const char *const alone_words_claims[];

/* Text after a command's word, without the thanks and the punctuation at its end. *thanked: the
 * one word after the thanks, which must be a player's name, else "". */
const char *alone_words_core(struct arena *a, const char *text, const char **thanked);

/* The core without "please" and "gladly" at its end, for words that ask or agree.  After resign
 * and the like the text may be for the other player, so nothing is cut. */
const char *alone_words_polite(struct arena *a, const char *word, const char *core);

/* Can rest, the core of a line after the command's word, board, userid and password, be the
 * command's arguments? */
bool alone_words_takes(const char *word, const char *rest);

/* The first word of the core, if the command takes an argument: "undo" of "accept undo please".
 * "": it has none. */
const char *alone_words_argument(struct arena *a, const char *word, const char *rest);
