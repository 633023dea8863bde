/* Sentences about the state of a board: whose move it is, what is offered, how it ended. */
#pragma once

#include "pbm/record/match.h"

/* seat in each: the reader's; SEAT_NONE: a spectator, to whom nothing is said as to a
 * player. */

/* Appends the first sentence of a board mail; nothing for an offer. */
void view_status(const struct match *m, uint8_t seat, const char *reader, struct str *out);

/* The draw, undo and abort that are asked for; "" when there are none. */
void view_offers(const struct match *m, uint8_t seat, struct str *out);

/* The state in few words, for a Subject. */
void view_state(const struct match *m, uint8_t seat, struct str *out);
