/* News that moderators send to the players who want it (set news on).  A broadcast is kept as a
 * held command.  Each run puts as many of its mails into the outbox as mails-per-run allows,
 * until every reader has one. */
#pragma once

#include "pbm/request/request.h"

#define BROADCAST_TEXT_MAX 4096 /* bytes */

struct broadcast {
	const char *by;   /* userid */
	const char *game; /* only for those who play or played it; NULL: for all */
	const char *text;
	int64_t at;
};

/* Does the player get it? */
bool broadcast_wants(struct request *q, const struct player_doc *p, const char *game);

/* Counts the players who get it now. */
int broadcast_count(struct request *q, const char *game, int64_t *n, struct err *e);

/* Keeps a broadcast for the runs. */
int broadcast_add(struct request *q, const struct broadcast *b, struct err *e);

/* Finds the oldest broadcast that is not sent to all yet, with its number and the last userid
 * that was looked at.  1: found; 0: there is none. */
int broadcast_next(struct store *s, struct arena *a, struct broadcast *out, int64_t *number,
                   const char **after, struct err *e);

/* Notes the last userid that was looked at; after NULL: it is sent to all. */
int broadcast_note(struct store *s, struct arena *a, const struct broadcast *b, int64_t number,
                   const char *after, struct err *e);
