/* Positions drawn for the archive (SVG) and for mails (tables of pictures). */
#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "games/variants/registry.h"
#include "pbm/answer/men.h"
#include "pbm/base/mem.h"
#include "pbm/picture/cells.h"
#include "pbm/picture/svg.h"
#include "tests/bench/bench.h"

#define PICTURES 20000
#define DRAWING_MAX 16384

typedef void draw_fn(const struct game *g, const struct pos *p, struct str *out);

static void draw_svg(const struct game *g, const struct pos *p, struct str *out)
{
	svg_board(g, p, &(struct svg_look){ .side = WHITE, .coordinates = true }, out);
}

static void draw_cells(const struct game *g, const struct pos *p, struct str *out)
{
	static const char *const words[2][PIECE_TYPES] = {
		{ "white pawn", "white knight", "white bishop", "white rook", "white queen",
		  "white king" },
		{ "black pawn", "black knight", "black bishop", "black rook", "black queen",
		  "black king" },
	};
	struct marks marks = marks_find(g, p, NULL, NULL);
	struct cells_look look = {
		.side = WHITE, .pixels = 38, .men = men_ids(NULL), .words = words
	};

	cells_table(p, game_board(g), &marks, &look, out);
}

void bench_pictures(void)
{
	static const struct {
		const char *name;
		draw_fn *draw;
	} kinds[] = { { "svg", draw_svg }, { "mail", draw_cells } };
	struct game g = { .rules = rules_find("chess", strlen("chess"), NULL) };
	struct pos start;

	if (game_setup(&g, NULL, &start, NULL) < 0)
		bench_fail("chess", NULL);
	printf("\npictures: the first position of chess, drawn on one core\n%-8s %14s %10s\n",
	       "for", "pictures/s", "bytes");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct str s;
		size_t bytes = 0;
		double t = bench_cpu();

		str_init(&s, DRAWING_MAX);
		for (int n = 0; n < PICTURES; n++) {
			str_clear(&s);
			kinds[i].draw(&g, &start, &s);
			bytes = s.len;
		}
		printf("%-8s %14.0f %10zu\n", kinds[i].name, PICTURES / (bench_cpu() - t), bytes);
		str_release(&s);
	}
}
