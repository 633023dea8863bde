/* One line of what a UCI engine says.  It is a stranger's: any bytes; what makes no sense says
 * nothing.  No I/O. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum external_word {
	EXTERNAL_NOTHING,
	EXTERNAL_VARIANTS, /* "option name UCI_Variant …"; for external_words_have_variant() */
	EXTERNAL_UCIOK,
	EXTERNAL_READYOK,
	EXTERNAL_SCORE,    /* "info … score cp 13 …", of the best line */
	EXTERNAL_BESTMOVE, /* text: the turn */
	EXTERNAL_LISTED,   /* "e2e4: 1", by "go perft 1"; text: the turn */
	EXTERNAL_COUNTED   /* "Nodes searched: 20": the end of that list */
};

struct external_said {
	enum external_word word;
	const char *text; /* in the line */
	size_t len;
	int score; /* hundredths of a pawn, for the side to move */
	uint64_t nodes;
};

void external_words_read(const char *line, size_t len, struct external_said *out);

/* Is it one of those that a line EXTERNAL_VARIANTS lists? */
bool external_words_have_variant(const char *line, size_t len, const char *variant);
