/* The board in a mail's HTML part: a table of text, without remote pictures or
 * scripts, which mail clients would remove; and, if there are few legal turns, a
 * mailto: link for each. */
#include <stdio.h>
#include <string.h>

#include "pbm/answer/view.h"

#define LINKS_MAX 40

static const char light[] = "#f0d9b5", dark[] = "#b58863", marked_light[] = "#cdd26a",
		  marked_dark[] = "#aaa23a";

static const char *man_glyph(const struct pos *p, uint8_t square)
{
	static const char *const glyphs[2][PIECE_TYPES] = { { "♙", "♘", "♗", "♖", "♕", "♔" },
		                                            { "♟", "♞", "♝", "♜", "♛", "♚" } };
	uint64_t bit = 1ull << square;

	for (int type = 0; type < PIECE_TYPES; type++)
		if (p->type[type] & bit)
			return glyphs[p->color[BLACK] & bit ? BLACK : WHITE][type];
	return "";
}

static json_t *cell_json(const struct pos *p, uint64_t marks, uint8_t square)
{
	bool is_light = (square % 8 + square / 8) % 2, is_marked = marks >> square & 1;
	const char *color = is_marked  ? (is_light ? marked_light : marked_dark)
	                    : is_light ? light
	                               : dark;

	return json_pack("{s:s, s:s}", "color", color, "man", man_glyph(p, square));
}

void view_html_board(const struct match *m, size_t ply, enum color below, enum draw_size size,
                     json_t *o)
{
	const struct pos *p = &m->positions[ply];
	uint64_t marks = ply ? game_marks(&m->game, p, &m->moves[ply - 1].move) : 0;
	struct board_size board = game_board(&m->game);
	int files = board.files, ranks = board.ranks;
	bool flip = below == BLACK;
	json_t *rows = json_array(), *letters = json_array();

	for (int r = 0; r < ranks; r++) {
		int rank = flip ? r : ranks - 1 - r;
		json_t *cells = json_array();

		for (int f = 0; f < files; f++) {
			int file = flip ? files - 1 - f : f;

			json_array_append_new(cells,
			                      cell_json(p, marks, (uint8_t)(rank * 8 + file)));
			if (r == 0)
				json_array_append_new(letters, json_sprintf("%c", 'a' + file));
		}
		json_array_append_new(rows,
		                      json_pack("{s:i, s:o}", "rank", rank + 1, "cells", cells));
	}
	/* pixels of a square, and of a man's figure */
	static const int pixels[][2] = {
		[DRAW_NORMAL] = { 40, 30 }, [DRAW_SMALL] = { 28, 21 }, [DRAW_LARGE] = { 60, 46 }
	};
	json_object_set_new(o, "board",
	                    json_pack("{s:o, s:o, s:i, s:i}", "rows", rows, "files", letters,
	                              "square", pixels[size][0], "figure", pixels[size][1]));
}

static void add_url_text(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.",
		           *text))
			str_add_char(out, *text);
		else
			str_addf(out, "%%%02X", (unsigned)(unsigned char)*text);
	}
}

void view_html_links(struct request *q, const struct match *m, uint8_t seat,
                     const struct moves *legal, json_t *o)
{
	struct token t = { .kind = TOKEN_GAME,
		           .board = m->doc.board,
		           .seat = seat,
		           .ply = m->stamp,
		           .expires = token_expiry(TOKEN_GAME, q->now) };
	char to[400], subject[200], san[64], body[200];
	struct str address = STR_FIXED(to), s = STR_FIXED(subject);
	json_t *moves = json_array();

	if (legal->n > LINKS_MAX) {
		json_decref(moves);
		return;
	}
	str_addf(&address, "%s%%2B", q->site->local_part);
	token_write(q->site, &t, &address);
	str_addf(&address, "@%s", q->site->host);
	snprintf(san, sizeof san, "%s #%lld", m->game.rules->title, (long long)m->doc.board);
	add_url_text(&s, san);
	for (size_t i = 0; i < legal->n; i++) {
		struct str text = STR_FIXED(san), b = STR_FIXED(body);

		game_write_san(&m->game, match_position(m), &legal->v[i], &text);
		add_url_text(&b, san);
		json_array_append_new(moves, json_pack("{s:s, s:s, s:s, s:s}", "to", to, "subject",
		                                       subject, "body", body, "text", san));
	}
	json_object_set_new(o, "links",
	                    json_pack("{s:s, s:o}", "heading",
	                              "Click a move, then send the mail:", "moves", moves));
}
