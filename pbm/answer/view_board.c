/* The board in a mail's HTML part, and the texts below it. */
#include "games/board.h"
#include "games/game.h"
#include "pbm/answer/men.h"
#include "pbm/answer/view.h"
#include "pbm/picture/cells.h"
#include "pbm/record/match.h"
#include "pbm/text/html_escape.h"

#define BOARD_MAX (32 * 1024)

/* The men's names in the language asked for last. */
static struct {
	bool made;
	const struct language *language;
	char text[2][PIECE_TYPES][80];
	const char *words[2][PIECE_TYPES];
} names;

const char *const (*view_men_words(const struct language *l))[PIECE_TYPES]
{
	static const char *const english[2][PIECE_TYPES] = {
		{ "white pawn", "white knight", "white bishop", "white rook", "white queen",
		  "white king" },
		{ "black pawn", "black knight", "black bishop", "black rook", "black queen",
		  "black king" }
	};

	for (unsigned c = 0; (!names.made || names.language != l) && c < 2; c++)
		for (unsigned type = 0; type < PIECE_TYPES; type++) {
			char text[40];
			struct str said = STR_FIXED(text), s = STR_FIXED(names.text[c][type]);

			language_say(l, english[c][type], &said);
			html_escape(&s, said.data, said.len);
			names.words[c][type] = names.text[c][type];
		}
	names.made = true;
	names.language = l;
	return (const char *const(*)[PIECE_TYPES])names.words;
}

/* The marks that the text below the board explains. */
static json_t *key_json(const struct marks *m)
{
	return json_pack("{s:b, s:b, s:b, s:b, s:s, s:s, s:s}", "last", m->last != 0, "check",
	                 m->check != 0, "owed", m->owed != 0, "gone", m->gone != 0, "last_color",
	                 cells_colors[CELLS_LAST][0], "check_color", cells_colors[CELLS_CHECK][0],
	                 "owed_color", cells_colors[CELLS_OWED][0]);
}

unsigned view_pixels(enum draw_size size)
{
	static const unsigned pixels[] = {
		[DRAW_NORMAL] = 38, [DRAW_SMALL] = 28, [DRAW_LARGE] = 56
	};

	return pixels[size];
}

void view_board(struct request *q, const struct match *m, size_t ply, enum color below,
                enum draw_size size, const struct language *l, json_t *o)
{
	const struct pos *p = &m->positions[ply];
	const struct move *last = ply ? &m->moves[ply - 1].move : NULL;
	struct effects fx = { 0 };
	struct cells_look look = { .side = below,
		                   .pixels = view_pixels(size),
		                   .pockets = m->game.rules->flags & RULES_DROPS,
		                   .men = men_ids(q->site->template_dir),
		                   .words = view_men_words(l) };

	if (last) {
		struct pos before = m->positions[ply - 1];

		game_apply(&m->game, &before, last, &fx);
	}
	struct marks marks = marks_find(&m->game, p, last, &fx);
	struct str s = str_in(q->arena, BOARD_MAX);
	cells_table(p, game_board(&m->game), &marks, &look, &s);
	json_object_set_new(o, "board", json_string(s.data));
	if (marks.last || marks.check || marks.owed || marks.gone)
		json_object_set_new(o, "key", key_json(&marks));
}
