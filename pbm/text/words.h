/* A command line cut into words: blanks separate, "…" keeps together. */
#ifndef PBM_TEXT_WORDS_H
#define PBM_TEXT_WORDS_H

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
	} v[WORDS_MAX]; /* start: in the line */
};

/* Words beyond WORDS_MAX stay in the line's tail, reachable by the last start. */
void words_split(struct arena *a, const char *line, struct words *out);

/* "17", "17#5", "17#-1", "17:", "#17".  Fills what is there. */
struct board_ref {
	int64_t board;
	bool has_ply, marked;
	long ply;
}; /* marked: with # or : around */
bool words_board(const char *word, struct board_ref *out);

#endif
