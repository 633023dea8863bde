/* The games before and after a finished game, of each player, of the pair and of the tournament:
 * pages of games lead to each other.  Only for the files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/base/mem.h"
#include "pbm/site/site.h"
#include "store/document/document.h"

/* A game as a neighbour knows it; board 0: there is none. */
struct neighbour {
	int64_t board, ended;
	const char *players[2], *tournament; /* tournament "" or NULL: none */
};

struct neighbour neighbour_of(const struct game_doc *d);

/* The ways on from a game: the games of White, of Black, of both, of the tournament. */
enum { WAY_PAIR = 2, WAY_TOURNAMENT, WAYS };

struct neighbours {
	struct neighbour before[WAYS], after[WAYS];
};

/* Finds the neighbours of a game in the index, in the order in which games ended: eight rows at
 * most, however many games the players have. */
int neighbours_find(struct site *site, struct arena *a, const struct neighbour *game,
                    struct neighbours *out, struct err *e);

/* The context of game-beside.html: {"up", "solo", "white": {"name", "earlier", "later"},
 * "black", "pair": {"earlier", "later"}, "cup": {"ladder", "earlier", "later"}}. */
json_t *neighbours_json(struct arena *a, const struct neighbour *game, const struct neighbours *n);

/* Replaces the links in the pages of these neighbours, and nothing else of them.  A page that is
 * not there, or of an older layout, gets its links when it is written. */
int neighbours_write(struct site *site, const struct neighbours *n, struct err *e);
