/* The words after a turn on its line.  rest: they begin there, and the turn stands before them in
 * the same string. */
#ifndef PBM_COMMANDS_PLAY_TURN_BEHIND_H
#define PBM_COMMANDS_PLAY_TURN_BEHIND_H

#include "pbm/commands/words/command.h"

/* Is it "=" and no more?  Among moves that often means that the game is level. */
bool turn_behind_is_sign(const char *rest);

/* Do the words offer a draw?  "(=)" is ICCF's sign for it. */
bool turn_behind_is_draw(const char *rest);

/* false: a word that acts stands there, and the line is refused. */
bool turn_behind_check(struct request *q, const struct call *c, const char *rest);

/* Tells the writer of a text that speaks of a draw that it offers none.  words may be NULL. */
void turn_behind_say_no_draw(struct request *q, const char *words);

#endif
