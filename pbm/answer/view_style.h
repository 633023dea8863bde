/* A player's wishes for boards and moves: his settings style, board, flip, size and notation. */
#pragma once

#include <jansson.h>

#include "games/game.h"
#include "games/notation/notation_letters.h"
#include "pbm/request/request.h"
#include "pbm/text/language.h"

struct view_style {
	struct draw_style draw;
	enum tongue tongue;
	bool flip;     /* the other side's men below */
	bool html;     /* an HTML part, too */
	bool pictures; /* boards are drawn with pictures in it */
	const struct language *language;
};

/* The style of a player; for NULL, and for a userid that nobody has, the standard. */
struct view_style view_style_of(struct request *q, const char *userid);

/* Writes the moves in the texts of a section in the reader's letters. */
void view_style_say(enum tongue t, json_t *section);

/* Explains the men of a board in this style; seat is the reader's. */
void view_style_legend(const struct view_style *v, const struct match *m, uint8_t seat,
                       struct str *out);
