/* Fills lines with words, for the text form of Markdown.  Widths are columns;
 * each character is one column wide. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/str.h"

/* Stands for a blank at which no line may end; fill_write() writes a blank. */
#define FILL_HARD_BLANK '\x01'

size_t fill_columns(const char *s, size_t n);

/* Set .at and .width; then each fill_next() that returns true has put a line
 * into .line and .n.  Lines end at blanks and at '\n', but not between a move's
 * number and the move, nor in a short command to copy ("write: match bob chess"); a word longer than
 * the width has a line of its own. */
struct filler {
	const char *at;
	size_t width;
	const char *line;
	size_t n;
	bool after_colon; /* private: the last word was "write:" or the like */
};
bool fill_next(struct filler *f);

/* Appends a line, with hard blanks written as blanks. */
void fill_write(struct str *out, const char *line, size_t n);
