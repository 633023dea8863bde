/* The live pages of one game.  Only for the files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/record/match.h"
#include "pbm/request/request.h"
#include "pbm/site/site.h"

/* The length of the periods of tokens.  All pages of a period get the same token, so that a page
 * stays the same; each can be used for at least TOKEN_DAYS less this length. */
#define LIVE_SECONDS (60 * INT64_C(86400))

/* The folder of a seat's page, below archive/: "live/abcd…". */
const char *live_folder(const struct site *site, struct arena *a, int64_t board, uint8_t seat);

/* The folder of turns.h for this player, whatever the letter case: "live/abcd…". */
const char *live_folder_of_player(const struct site *site, struct arena *a, const char *userid);

/* Writes the time until which the side to move may move. */
void live_write_until(const struct match *m, const char *zone, struct str *out);

/* Values that all pages of a run have in common. */
struct live_common {
	json_t *men, *urls; /* drawings_men(), static_urls() */
};
struct live_common live_common_make(const struct site *site);
void live_common_release(struct live_common *c);

/* Writes the board's pages, and removes those that it should not have: those of an ended game,
 * of a player who has `set livepage off`, of Black when one player has both sides.  folders:
 * gets the folders of the pages that exist afterwards as keys; MAY be NULL.
 * players: gets the players' userids as keys, those that are new with false. */
int live_write(struct site *site, int64_t board, const struct live_common *common, json_t *folders,
               json_t *players, struct err *e);
