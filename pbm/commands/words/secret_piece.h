/* The parts of a word that may hold a password, and whether the word looks like one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"

/* A run of letters and digits. */
struct secret_piece {
	const char *start, *end;
};

/* A link, or an address of mail. */
bool secret_piece_is_address(const char *s, size_t n);

/* Cuts the word into such runs, at most (n + 1) / 2; an address only at the marks between its parts. */
size_t secret_piece_cut(const char *s, size_t n, struct secret_piece *out);

bool secret_piece_is_move(struct arena *a, const char *s, size_t n);

/* Has the word, cut into n pieces, the look of a password?  A word of letters alone has not, nor have
 * moves and dates.  pair: it stands after another player's userid, where one dash is enough. */
bool secret_piece_looks(struct arena *a, const char *word, size_t len, const struct secret_piece *p,
                        size_t n, bool pair);
