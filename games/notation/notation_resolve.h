/* Finds the move of a list that a typed text means. */
#pragma once

#include "games/notation/notation_parse.h"
#include "games/rules.h"

/* The position and the moves among which a text chooses. */
struct question {
	const struct game *g;
	const struct pos *p;
	const struct moves *legal; /* the moves it may mean, all of them legal in p */
};

#define HITS_MAX 8
struct resolved {
	unsigned n;       /* distinct moves the text means */
	bool needs_piece; /* they are promotions, and no piece was written */
	struct move hit[HITS_MAX];
};

/* Can the reading mean this move?  *needs_piece: yes, but for the piece that a
 * pawn becomes, which was not written. */
bool notation_matches(const struct reading *r, const struct move *m, bool *needs_piece);
/* The moves the text means, those of exact readings alone if there are any. */
void notation_resolve(const struct question *q, const struct typed *t, struct resolved *out);
