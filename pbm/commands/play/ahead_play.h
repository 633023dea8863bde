/* Plays the turns after a played turn that need no mail: answers that were sent ahead, and
 * forced turns.  At most AHEAD_PLAY_PLIES with the first one; the next run plays the rest.  Tells
 * nobody: the caller puts the story into both sides' mails. */
#pragma once

#include "pbm/request/request.h"

#define AHEAD_PLAY_PLIES 40

struct ahead_play_story {
	size_t n;        /* things that happened */
	char first[120]; /* the answer that was sent ahead to the turn played: "6. Bb5", or "" */
	char more[1600]; /* sentences about the events after it, each with two blanks before it;
	                  * or "" */
	int by;          /* of the last sentence, which is not finished; for ahead_play.c alone */
};

/* Goes on from the position of m; plies were played already in this transaction.  Begin with
 * a zeroed story. */
void ahead_play_go_on(struct request *q, struct match *m, size_t plies, struct ahead_play_story *s);

/* Carries out the answer ("Nf3 draw", "resign") of the seat that is to move, for its player.
 * false: it can't be done, and the rest of the moves ahead is dropped. */
bool ahead_play_answer(struct request *q, struct match *m, const char *answer,
                       struct ahead_play_story *s);
