/* Splits a command line into words at blanks; text in "…" is one word. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"

#define WORDS_MAX 60

struct words {
	size_t n;
	struct {
		const char *text;
		const char *start;
	} v[WORDS_MAX]; /* start: the word in the line, with quotation marks */
};

/* Fills *out with at most WORDS_MAX words.  In a longer line the other words follow
 * the last start. */
void words_split(struct arena *a, const char *line, struct words *out);

/* The same for the first words alone, at most WORDS_MAX. */
void words_split_some(struct arena *a, const char *line, size_t most, struct words *out);

struct board_ref {
	int64_t board;
	bool has_ply;
	bool marked; /* written "#17" or "17:", not as a bare number */
	long ply;
};
/* Reads "17", "17#5", "17#-1", "17:" or "#17"; false for any other word. */
bool words_board(const char *word, struct board_ref *out);
