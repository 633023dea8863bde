/* Moves as text, inside games/: how a typed text can be understood, which
 * legal turns it may mean, and what to say when it means none or several. */
#ifndef GAMES_NOTATION_H
#define GAMES_NOTATION_H

#include "games/game.h"

enum reading_kind { READING_MOVE, READING_SHORT, READING_LONG, READING_PASS };

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
	bool removal;  /* a final X was written (Allmate) */
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

/* What a text is asked against. */
struct question {
	const struct game *g;
	const struct pos *p;       /* the waiting pawn already replaced, if named */
	const struct moves *legal; /* of the position as it was */
	uint8_t named;             /* only turns that name this; NO_PIECE: none */
};

#define HITS_MAX 8
struct answer {
	unsigned n;       /* distinct moves (without pushes) the text means */
	bool needs_piece; /* they are promotions, and no piece was written */
	struct move hit[HITS_MAX];
};

bool reading_matches(const struct reading *r, const struct move *m, bool *needs_piece);
void notation_resolve(const struct question *q, const struct typed *t, struct answer *out);

/* The position a question about the moves after naming is asked on. */
struct pos notation_named(const struct pos *p, unsigned type);

/* The sentence for a part whose answer is not exactly one move. */
enum read_refusal refuse_part(const struct question *q, const struct typed *t, const char *text,
                              struct answer *a, struct str *out);

/* Reads a turn of parts (RULES_TWO_PART). */
enum read_refusal two_part_read(const struct game *g, const struct pos *p,
                                const struct moves *legal, const struct typed_turn *t,
                                struct move *out, struct str *text);

/* SAN of the moving part of m, minimal among legal turns naming the same. */
void san_write_part(const struct question *q, const struct move *m, struct str *out);
/* The whole turn without check signs. */
void san_write_turn(const struct game *g, const struct pos *p, const struct moves *legal,
                    const struct move *m, struct str *out);
/* From and to, "e2-e4", with the piece's letter: never ambiguous. */
void san_write_long(const struct move *m, struct str *out);
/* Does a rule take men off after this turn? */
bool turn_removes(const struct game *g, const struct pos *p, const struct move *m);
/* Where a pawn pushed from this square by c goes. */
unsigned push_target(enum color c, unsigned from);

#endif
