/* Vacations in the store: takes days for a player whose clock has run out, and tells who is
 * away.  Sends nothing itself. */
#pragma once

#include "pbm/request/request.h"

/* The time of the side to move is up at q->now.  Takes vacation for its player, if the player
 * lets the server do so, has moved anywhere lately and has days left; then the clocks of all his
 * games stop, and both players get a note.  1: taken, and the game is saved; 0: no days are
 * left. */
int holiday_spend(struct request *q, struct match *m, struct err *e);

/* Will days be taken when the time of the side to move is up, if no move comes? */
bool holiday_is_ahead(const struct request *q, const struct match *m);

/* Stores the player's vacations, which have changed; the server looks at all his games. */
int holiday_store(struct request *q, const struct player_doc *p, struct err *e);

/* "alice is on vacation until …." or "… will be on vacation from … until ….", with times as
 * the reader's zone has them; nothing when no vacation is known. */
void holiday_write(const struct player_doc *p, int64_t now, const char *zone, struct str *out);
