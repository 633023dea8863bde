/* Positions as drawings for web pages: one inline <svg> a position, and the men's
 * pictures once a page.  Nothing in them can come from a player, and they have no style
 * attribute, so that they pass a strict Content-Security-Policy.  Colours and sizes are the
 * style sheet's (templates/static/site.css); a square is 45 units wide, and the drawing of a
 * board of 4 files has the class "w4".  No I/O here. */
#pragma once

#include <stdbool.h>

#include "games/game.h"

struct svg_look {
	enum color side;          /* the side drawn below */
	bool coordinates;         /* write files and ranks into the squares at the edge */
	const char *class;        /* of the <svg>, besides "board"; NULL: none */
	const struct move *last;  /* the turn that led here: its squares are marked; or NULL */
	const struct effects *fx; /* of that turn: men that it removed are drawn pale; or NULL */
};

/* The addresses of the men's pictures; their characters need no escape. */
struct svg_men {
	const char *url[2][PIECE_TYPES];
};

/* Appends what all drawings of a page refer to, as a hidden <svg>: write it before the
 * first svg_board(). */
void svg_men(const struct svg_men *men, struct str *out);

/* Appends the drawing of a position, between 0.5 and 2.5 KB.  Paths colour
 * squares: class "mark" those of the last turn, "check" those of kings in check, "owed" those
 * of pawns that the next turn promotes.  Its text for people who can't see it is that of
 * svg_text(). */
void svg_board(const struct game *g, const struct pos *p, const struct svg_look *look,
               struct str *out);

/* Appends the position in words: "White: king e1, pawns a2 b2; Black: king e8. White is in
 * check." */
void svg_text(const struct game *g, const struct pos *p, struct str *out);
