/* The games before and after a finished game, of both its players: pages of games lead to
 * each other.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_PAGES_NEIGHBOURS_H
#define PBM_ARCHIVE_PAGES_NEIGHBOURS_H

#include <jansson.h>

#include "pbm/base/mem.h"
#include "pbm/site/site.h"
#include "store/document/document.h"

/* A game as a neighbour knows it; board 0: there is none. */
struct neighbour {
	int64_t board, ended;
	const char *players[2];
};

struct neighbour neighbour_of(const struct game_doc *d);

/* By seat of the game whose neighbours they are. */
struct neighbours {
	struct neighbour before[2], after[2];
};

/* Finds the neighbours of a game in the index, in the order in which games ended: four rows,
 * however many games the players have. */
int neighbours_find(struct site *site, struct arena *a, const struct neighbour *game,
                    struct neighbours *out, struct err *e);

/* The context of game-beside.html: {"up", "solo", "white": {"name", "earlier", "later"},
 * "black"}. */
json_t *neighbours_json(struct arena *a, const struct neighbour *game, const struct neighbours *n);

/* Replaces the links in the pages of these neighbours, and nothing else of them.  A page that is
 * not there, or of an older layout, gets its links when it is written. */
int neighbours_write(struct site *site, const struct neighbours *n, struct err *e);

#endif
