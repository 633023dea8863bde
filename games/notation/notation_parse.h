/* A typed text as the moves it can mean, whether such moves exist or not; and the move of a list
 * that it means. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/rules.h"

enum reading_kind { READING_MOVE, READING_SHORT, READING_LONG, READING_PASS, READING_DROP };

#define ANY_TYPE 0x3fu /* bits over enum piece_type */
#define ANY_LINE 8     /* no file, or no rank, was given */

/* One way to understand one part of a turn. */
struct reading {
	uint8_t kind;       /* enum reading_kind */
	uint8_t types;      /* the men it may be, bits over enum piece_type */
	uint8_t file, rank; /* where it comes from, each 0..7 or ANY_LINE */
	uint8_t to;
	uint8_t promo; /* enum piece_type or NO_PIECE */
	bool takes;    /* an x was written */
	bool removal;  /* a final X was written: a rule removes men */
	bool exact;    /* every letter in its proper case */
};

#define READINGS_MAX 2
struct typed {
	unsigned n;                     /* 0: not a move in any notation */
	struct reading r[READINGS_MAX]; /* exact ones first */
};

#define PARTS_MAX 3
#define PART_SIZE 24
/* A turn, cut at its commas.  text is ASCII, blanks around it removed. */
struct typed_turn {
	unsigned n;
	struct {
		char text[PART_SIZE];
		struct typed typed;
	} part[PARTS_MAX];
};

/* False when some part is no move in any notation. */
bool notation_parse(const char *text, size_t len, struct typed_turn *out);

/* The position and the moves among which a text chooses. */
struct question {
	const struct game *g;
	const struct pos *p;
	const struct moves *legal; /* the moves it may mean, all of them legal in p */
};

#define HITS_MAX 8
struct resolved {
	unsigned n;       /* distinct moves the text means */
	bool needs_piece; /* they are promotions, and no piece was written */
	struct move hit[HITS_MAX];
};

/* Can the reading mean this move?  *needs_piece: yes, but for the piece that a
 * pawn becomes, which was not written. */
bool notation_matches(const struct reading *r, const struct move *m, bool *needs_piece);
/* The moves the text means, those of exact readings alone if there are any. */
void notation_resolve(const struct question *q, const struct typed *t, struct resolved *out);
