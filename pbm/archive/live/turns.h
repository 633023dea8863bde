/* Two files for the programs of a player who has running games: a feed (Atom) of the boards on
 * which it is the player's turn, and a calendar (RFC 5545) of the deadlines there.  They stand
 * in a folder whose address is as secret as that of a live page; the live pages lead to it.  The
 * folder goes with the last running game. */
#pragma once

#include <jansson.h>

#include "pbm/request/request.h"

#define TURNS_FEED "turns.xml"
#define TURNS_CALENDAR "deadlines.ics"

/* Writes or removes the player's files.  folders (may be NULL) gets the folder that stays. */
int turns_write(struct request *q, const char *userid, json_t *folders, struct err *e);
