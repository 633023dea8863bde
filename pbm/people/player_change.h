/* Changes a player's document, in the store and in the request: if the player is the sender,
 * q->who.player follows. */
#pragma once

#include "pbm/request/request.h"

/* Changes a setting of *p and stores nothing; value NULL or "" removes it.  Both must live as
 * long as the arena. */
void player_change_set(struct arena *a, struct player_doc *p, const char *name, const char *value);

/* The same, and stores *p. */
int player_change(struct request *q, struct player_doc *p, const char *name, const char *value,
                  struct err *e);

/* Stores *p as a command has changed it: the mail has done something. */
int player_change_done(struct request *q, const struct player_doc *p, struct err *e);
