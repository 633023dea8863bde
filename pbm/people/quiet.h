/* The boards whose mails a player has stopped, while the other mails go on.  They are a list of
 * numbers among the player's settings. */
#pragma once

#include "pbm/request/request.h"

#define QUIET_BOARDS "quiet" /* the setting */

bool quiet_has(const struct player_doc *p, int64_t board);

/* Has the player a running game, which he would lose if he heard nothing of it? */
bool quiet_would_harm(struct request *q, const struct player_doc *p);

/* Stops the mails of a board; boards whose games have ended leave the list. */
int quiet_add(struct request *q, const struct player_doc *p, int64_t board, struct err *e);

/* Lets the mails of a board come again; 0: of all boards. */
int quiet_remove(struct request *q, const struct player_doc *p, int64_t board, struct err *e);
