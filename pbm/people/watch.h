/* Watching: a player's list of boards and kinds of games in his document.  A private game is
 * never watched.  It sends nothing; pbm/run/due/spectate.h tells the watchers. */
#pragma once

#include "pbm/request/request.h"

#define WATCH_MAX 50     /* of one player */
#define WATCHERS_MAX 100 /* of one board, or of one kind of game */

/* May this player see the board's mails while the game runs? */
bool watch_may_see(const struct match *m, const char *userid);

/* Does the player watch this board, or all of its kind? */
bool watch_has(const struct player_doc *p, const struct match *m);

/* Adds a watch to the player's document, or changes it.  what: a board's number as text, or
 * a game's name.  Watches of games that have ended make room for it.  0: done; 1: refused,
 * and the sender is told. */
int watch_add(struct request *q, const char *userid, const char *what, bool final, struct err *e);

/* Takes the watch out of the document; NULL: all of them.  *n: how many there were. */
int watch_remove(struct request *q, const char *userid, const char *what, size_t *n, struct err *e);
