/* Tells how a player keeps time, from his newest finished games. */
#pragma once

#include "pbm/request/request.h"

#define PUNCTUALITY_GAMES 50
#define PUNCTUALITY_TIMED 10 /* games whose moves are looked at */

struct punctuality {
	const char *userid;
	int64_t turns, late; /* late: the turns for which the time ran out */
	int64_t percent;     /* of turns in time; 100 without turns */
};

int punctuality_of(struct request *q, const char *userid, struct punctuality *out, struct err *e);

/* The seconds that the player took for a move, on the average of his newest games, running
 * ones too; -1: he has made no move.  Pauses, and time that was given, count as his. */
int punctuality_pace(struct request *q, const char *userid, int64_t *out, struct err *e);
