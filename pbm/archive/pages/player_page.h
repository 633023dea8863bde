/* The first page of a player, besides the newest games.  Each part is a bounded number of rows
 * of an index, however many games the player has.  Only for the files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/base/mem.h"
#include "pbm/site/site.h"

/* Adds to the context of archive/player.html: "all" and "record" (games by kind, with the
 * rating), "graphs" (the ratings of the newest rated games, as HTML), "opponents",
 * "as_white" and "as_black" (openings).  key is a folded userid. */
int player_page_add(struct site *site, const char *key, json_t *c, struct err *e);

/* The userid as its player typed it; the key itself if there is no such account. */
const char *player_page_userid(struct site *site, struct arena *a, const char *key);
