/* Writes everything that the site keeps about a player, as JSON: the account, his games with the
 * talk in them, acts of moderators about him, and questions that wait for his ok.  Leaves out
 * passwords, tokens and hashes, and the secrets and addresses of other players. */
#pragma once

#include "pbm/request/request.h"

/* The place that the text has reached, when it is too long for one: all zeros at its beginning. */
struct export_place {
	int64_t board; /* the first board that is still to be written */
	int64_t acts;  /* the number of acts that are written */
	bool games_done;
	bool done;
	int64_t left_out; /* a game that is longer than a text may be, or 0 */
};

/* Appends one text, as much as fits from that place on, and moves the place on.  Each text is
 * complete JSON.  ERR_LIMIT: not even the account fits. */
int account_export_write(struct request *q, const struct player_doc *p, struct export_place *at,
                         struct str *out, struct err *e);
