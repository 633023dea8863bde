/* The boards that a digest lists, as its player's document keeps them: "17w24 18b3".  An
 * answer to the digest is good for these, each at the seat and position shown. */
#ifndef PBM_REQUEST_LISTED_H
#define PBM_REQUEST_LISTED_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define LISTED_MAX 200

struct listed_board {
	int64_t board;
	uint8_t seat;   /* SEAT_WHITE or SEAT_BLACK */
	unsigned stamp; /* of the position, as in struct match */
};

struct listed {
	size_t n;
	const struct listed_board *v;
};

/* Reads the text into the arena; what is no board ends the list. */
struct listed listed_read(struct arena *a, const char *text);

/* Appends one board to such a text. */
void listed_write(const struct listed_board *b, struct str *out);

/* The board in the list, or NULL. */
const struct listed_board *listed_find(const struct listed *l, int64_t board);

#endif
