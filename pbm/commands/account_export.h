/* All that is kept about a player, as one JSON text: the account, his games with the talk in
 * them, what moderators did about him, and what waits for his ok.  It has no password, no
 * token, no hash, and no secrets or addresses of other players. */
#ifndef PBM_COMMANDS_ACCOUNT_EXPORT_H
#define PBM_COMMANDS_ACCOUNT_EXPORT_H

#include "pbm/request/request.h"

/* The place that the text has reached, when it is too long for one: all zeros at its beginning. */
struct export_place {
	int64_t board; /* the games from this board on are still to be written */
	int64_t acts;  /* so many of the acts are written */
	bool games_done;
	bool done;
	int64_t left_out; /* a game that is longer than a text may be, or 0 */
};

/* Appends one text from that place on, as much as fits, and moves the place on.  Each text is
 * whole JSON.  ERR_LIMIT: not even the account fits. */
int account_export_write(struct request *q, const struct player_doc *p, struct export_place *at,
                         struct str *out, struct err *e);

#endif
