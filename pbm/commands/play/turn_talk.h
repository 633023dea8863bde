/* Prose beside a turn that speaks of turns: a correction of the turn, moves ahead in words, a
 * move for another board.  The rules of the game say which of these words are turns that can be
 * meant; so the name of a turn alone, "Nf3 was a nice idea", is prose. */
#pragma once

#include "games/rules.h"
#include "pbm/commands/words/command.h"
#include "pbm/request/request.h"

/* Asks which turn counts, if a sentence after the turn mv on its line, or below it, takes it back or
 * names another one for it.  false: refused. */
bool turn_talk_check(struct request *q, const struct call *c, const struct move *mv,
                     const char *rest);

/* The text without the lines that tell moves ahead, "after Bb5, a6", or a move for another of the
 * sender's boards, "on the other board Nf6".  Adds what the sender is told of them to q->lost.
 * NULL: nothing remains. */
const char *turn_talk_keep(struct request *q, const struct match *m, const struct move *mv,
                           const char *text);

/* Tells the writer of a text that speaks of a draw, of taking back or of resigning that it does none of
 * it.  words may be NULL. */
void turn_talk_tell_wishes(struct request *q, const char *words);
