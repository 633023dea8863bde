/* A format of printf() taken apart, to compare finished sentences with it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define FORM_GAP '\v' /* in a text to compare: a blank between two sentences or columns */
#define FORM_PIECES_MAX 40
#define FORM_HOLES_MAX 16

/* A literal text, or a hole that a conversion fills. */
struct form_piece {
	const char *text; /* literal; NULL: a hole */
	size_t n;         /* bytes of text */
	char kind;        /* of a hole: 'd', 'f', 'c', 's'; or 't' in a translation */
	size_t hole;      /* its number, from 0 */
};

struct form {
	size_t pieces, holes;
	size_t weight; /* bytes of the literals, blanks not counted */
	struct form_piece *piece;
};

/* The filling of a hole: bytes of the sentence that was compared. */
struct form_filling {
	const char *text;
	size_t n;
};

/* Takes a format apart.  Blanks that follow each other become one in a format of the
 * program, so that a sentence fits whatever its blanks.  translated: a translation, which
 * may number its conversions and may use t.  ERR_BAD for other conversions and for a
 * mixture; ERR_LIMIT for too many. */
int form_parse(struct arena *a, const char *format, bool translated, struct form *out,
               struct err *e);

/* Does the text fit the whole form?  filling[0..holes-1] is set then.  *budget is lessened
 * by each step of the comparison; it fails when nothing is left. */
bool form_match(const struct form *f, const char *text, size_t n, struct form_filling *filling,
                size_t *budget);

/* Checks that each hole of said can be filled from a sentence of format, and that none is
 * left out; ERR_BAD. */
int form_agree(const struct form *format, const struct form *said, struct err *e);
