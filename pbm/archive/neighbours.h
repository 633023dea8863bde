/* The games before and after a finished game, of both its players: pages of games lead to
 * each other.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_NEIGHBOURS_H
#define PBM_ARCHIVE_NEIGHBOURS_H

#include "pbm/site/site.h"
#include "store/document.h"

/* Board numbers by seat; 0: there is none. */
struct neighbours {
	int64_t before[2], after[2];
};

/* Finds them in the index, in the order in which games ended: four rows, however many games
 * the players have. */
int neighbours_find(struct site *site, const struct game_doc *d, struct neighbours *out,
                    struct err *e);

/* All of them, each once; returns how many these are. */
size_t neighbours_list(const struct neighbours *n, int64_t boards[4]);

#endif
