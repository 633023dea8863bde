/* Plays what nobody has to be asked for once a turn has been played: answers that were sent
 * ahead, and turns that are forced.  At most AHEAD_PLIES with the first one; what is left waits
 * for the next run.  Tells nobody: the caller puts the story into both sides' mails. */
#ifndef PBM_COMMANDS_AHEAD_H
#define PBM_COMMANDS_AHEAD_H

#include "pbm/request/request.h"

#define AHEAD_PLIES 40

struct ahead_story {
	size_t n;        /* things that happened */
	char first[120]; /* the answer that was sent ahead to the turn played: "6. Bb5", or "" */
	char more[1600]; /* sentences about what came then, each with two blanks before it; or "" */
	int by;          /* of the sentence that is still open, with ahead.c */
};

/* Goes on from the position of m; plies were played already in this transaction.  Begin with
 * a zeroed story. */
void ahead_go_on(struct request *q, struct match *m, size_t plies, struct ahead_story *s);

/* Carries out the seat's own answer ("Nf3 draw", "resign") as the server: the seat is to move.
 * false: it can't be done, and what was left of the moves ahead is dropped. */
bool ahead_answer(struct request *q, struct match *m, const char *answer, struct ahead_story *s);

#endif
