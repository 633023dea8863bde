/* The boards that a digest lists, as its player's document keeps them: "17w24 18b3".  An
 * answer to the digest is good for these, each at the seat and position shown. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define DIGEST_BOARDS_MAX 200

struct digest_board {
	int64_t board;
	uint8_t seat;   /* SEAT_WHITE or SEAT_BLACK */
	unsigned stamp; /* of the position, as in struct match */
};

struct digest_boards {
	size_t n;
	const struct digest_board *v;
};

/* Reads the text into the arena; what is no board ends the list. */
struct digest_boards digest_boards_read(struct arena *a, const char *text);

/* Appends one board to such a text. */
void digest_boards_write(const struct digest_board *b, struct str *out);

/* The board in the list, or NULL. */
const struct digest_board *digest_boards_find(const struct digest_boards *l, int64_t board);
