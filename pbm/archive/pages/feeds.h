/* Atom feeds (RFC 4287) of the newest games: of the site, a player, a kind of game.  Only for
 * the files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/archive/pages/list_name.h"

/* Writes the feed of a list to its folder; of "all" to the archive's own.  rows: its games from
 * list_add_row(), the newest first; the first 30 count.  With archive-url the addresses are
 * absolute and are the ids; without it they are relative, and the ids are tag URIs (RFC 4151). */
int feed_write(struct site *site, const struct list_name *l, const json_t *rows, struct err *e);
