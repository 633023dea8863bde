/* Finds the other side's question that waits for a player's answer on a board.  Says nothing
 * about the answer. */
#pragma once

#include "pbm/record/match.h"

/* The newest open offer or request (draw, undo, abort) to the seat, as the number of its event,
 * from 1; 0: none.  *said: the other side has written a text since, beside it or shortly before, so
 * that a mail of now may not only ask this. */
size_t match_asked(const struct match *m, uint8_t seat, bool *said);

/* The text that the seat wrote with its last turn or after it; NULL: none, or the other side has acted
 * since. */
const char *match_wrote_last(const struct match *m, uint8_t seat);

/* Is that request still open, and not made anew? */
bool match_asked_is_open(const struct match *m, size_t asked);

/* Do the words beside an offer to play ask anything else: "Do you live in Berlin?" */
bool match_asks_else(const char *text);

/* The last request of the other side to the seat, if a move has ended it, *move.  NULL: there is
 * none, or it was ended by something else. */
const struct event *match_asked_before(const struct match *m, uint8_t seat,
                                       const struct event **move);
