/* The words after a turn on its line.  rest: they begin there, and the turn stands before them in
 * the same string. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

/* "=" or "1/2", if it is all of the text, which may stand alone.  Among moves it often means that the game
 * is level.  NULL: it is more. */
const char *after_turn_sign(const char *rest);

/* Do the words offer a draw?  "(=)" is ICCF's sign for it. */
bool after_turn_is_draw(const char *rest);

/* "Nf3 accept draw", "Nf3 draw is not what I want": a word that acts after a turn, with its
 * arguments, or draw with more than the offer.  Playing the turn could undo what was meant.
 * NULL: there is none.  offered: the other side has offered a draw, so that "Nc6, agreed" accepts it. */
const char *after_turn_word(struct arena *a, const char *rest, bool offered);

/* Does a line below a turn accept what the other side asks: "I accept the draw", "agreed"? */
bool after_turn_accepts(const char *line);

/* The bytes of the n at line, which end before the "if" of moves ahead, without marks and words such
 * as "and" at their end, which would tell the other side that something is prepared. */
size_t after_turn_before(const char *line, size_t n);
