/* A challenge ladder: who may challenge whom, and what a result does to the places.
 *
 * Players are called by their places; 0 is the top.  A new player stands at the bottom.  He
 * challenges one of the LADDER_REACH players above him.  Who wins a challenge takes the other's
 * place, and those between move down by one; any other result leaves the places as they are.
 * The challenged player has White, so that a challenge without an answer is a game without a
 * move: its clock decides it.  Pure functions, as in pairing.h. */
#pragma once

#include <stdint.h>

#define LADDER_REACH 3       /* places above, at most */
#define LADDER_PAUSE_DAYS 30 /* from the end of a game to the next one of the same two */

struct ladder_challenge {
	int from, to;  /* places as they are now */
	int64_t ended; /* seconds; 0: it runs */
};

enum ladder_answer {
	LADDER_YES,
	LADDER_SELF,
	LADDER_BELOW,    /* the other stands below him */
	LADDER_FAR,      /* more than LADDER_REACH places above */
	LADDER_OWN_RUNS, /* he has a running challenge; one at a time */
	LADDER_HAS_ONE,  /* the other has to answer one already */
	LADDER_SOON      /* the two have played in the last LADDER_PAUSE_DAYS days */
};

/* May from challenge to?  *which is the challenge in the way of the last three answers. */
enum ladder_answer ladder_may(const struct ladder_challenge *v, int n, int from, int to,
                              int64_t now, int *which);

/* The new place of the player at place, after the player at from has won his challenge of the
 * one at to. */
int ladder_after_win(int place, int from, int to);
