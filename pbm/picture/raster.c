#include "pbm/picture/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/board.h"
#include "games/pocket.h"
#include "pbm/base/mem.h"
#include "pbm/picture/cells.h"
#include "pbm/picture/marks.h"

#define GROUNDS (2 * CELLS_COLORS + 1) /* colours below men: squares, and the strips of pockets */
#define STRIP (2 * CELLS_COLORS)
#define GROUND_CODES (1 + RASTER_EDGES) /* the ground itself, and with edges of men on it */

static const char dark[] = "#28241f", light[] = "#fbf8f1", strip[] = "#f4f1ea";

static struct raster_color read_color(const char *text)
{
	unsigned red = 0, green = 0, blue = 0;

	sscanf(text, "#%2x%2x%2x", &red, &green, &blue);
	return (struct raster_color){ (uint8_t)red, (uint8_t)green, (uint8_t)blue };
}

static uint8_t between(unsigned a, unsigned b, unsigned part, unsigned of)
{
	return (uint8_t)((a * (of - part) + b * part + of / 2) / of);
}

static struct raster_color mix(struct raster_color a, struct raster_color b, unsigned part,
                               unsigned of)
{
	return (struct raster_color){ between(a.red, b.red, part, of),
		                      between(a.green, b.green, part, of),
		                      between(a.blue, b.blue, part, of) };
}

const struct raster_color *raster_colors(void)
{
	static struct raster_color all[RASTER_COLORS];
	static bool made;
	const struct raster_color ends[2] = { read_color(dark), read_color(light) };

	_Static_assert(GROUNDS * GROUND_CODES + RASTER_TONES == RASTER_NONE, "all have a place");
	for (unsigned g = 0; !made && g < GROUNDS; g++) {
		struct raster_color *to = all + g * GROUND_CODES;

		to[0] = read_color(g == STRIP ? strip : cells_colors[g / 2][g % 2]);
		for (unsigned i = 0; i < RASTER_EDGES; i++)
			to[1 + i] = mix(to[0], ends[i % 2], i / 2 + 1, RASTER_EDGES / 2 + 1);
	}
	for (unsigned i = 0; !made && i < RASTER_TONES; i++)
		all[GROUNDS * GROUND_CODES + i] = mix(ends[0], ends[1], i, RASTER_TONES - 1);
	made = true;
	return all;
}

/* A drawing that is being made. */
struct easel {
	struct raster *r;
	const char *override_dir;
	const struct game *g;
	const struct pos *p;
	struct board_size board;
	bool turned;
	unsigned top; /* pixels above the board */
};

static unsigned strip_height(const struct game *g)
{
	return g->rules->flags & RULES_DROPS ? RASTER_MAN(true) : 0;
}

void raster_init(struct raster *r, const struct game *g)
{
	const struct board_size board = game_board(g);

	r->width = board.files * RASTER_SQUARE;
	r->height = board.ranks * RASTER_SQUARE + 2 * strip_height(g);
	r->px = mem_alloc((size_t)r->width * r->height);
}

void raster_release(struct raster *r)
{
	free(r->px);
	r->px = NULL;
}

static void fill(const struct raster *r, unsigned x, unsigned y, unsigned w, unsigned h,
                 unsigned ground)
{
	for (unsigned row = y; row < y + h; row++)
		memset(r->px + (size_t)row * r->width + x, (int)(ground * GROUND_CODES), w);
}

/* Manners of drawing a man: small in a pocket, pale if it has just gone. */
enum manner { LARGE, SMALL, PALE };

/* Puts a man on its ground, which has been filled. */
static void put_man(const struct easel *s, unsigned x, unsigned y, const struct man *what,
                    enum manner manner)
{
	const uint8_t *man = raster_man(s->override_dir, what->color, what->type, manner == SMALL);
	const unsigned size = RASTER_MAN(manner == SMALL);

	for (unsigned row = 0; man && row < size; row++) {
		uint8_t *to = s->r->px + (size_t)(y + row) * s->r->width + x;

		for (unsigned i = 0; i < size; i++) {
			unsigned code = man[row * size + i];
			bool solid = code > RASTER_EDGES;

			if (manner == PALE && solid)
				code = code > RASTER_EDGES + RASTER_TONES / 2 ? 6 : 5;
			else if (manner == PALE)
				code /= 4;
			if (code > RASTER_EDGES)
				to[i] = (uint8_t)(GROUNDS * GROUND_CODES + code - RASTER_EDGES - 1);
			else
				to[i] = (uint8_t)(to[i] + code);
		}
	}
}

static unsigned column_of(const struct easel *s, unsigned sq)
{
	return s->turned ? s->board.files - 1 - square_file(sq) : square_file(sq);
}

static unsigned row_of(const struct easel *s, unsigned sq)
{
	return s->turned ? square_rank(sq) : s->board.ranks - 1 - square_rank(sq);
}

static void put_on_square(const struct easel *s, const struct man *man, enum manner manner)
{
	put_man(s, column_of(s, man->square) * RASTER_SQUARE,
	        s->top + row_of(s, man->square) * RASTER_SQUARE, man, manner);
}

static void draw_squares(const struct easel *s, const struct marks *m)
{
	for (unsigned rank = 0; rank < s->board.ranks; rank++)
		for (unsigned file = 0; file < s->board.files; file++) {
			unsigned sq = 8 * rank + file;
			uint64_t bit = BIT(sq);
			enum cells_color kind = m->check & bit  ? CELLS_CHECK
			                        : m->owed & bit ? CELLS_OWED
			                        : m->last & bit ? CELLS_LAST
			                                        : CELLS_PLAIN;

			fill(s->r, column_of(s, sq) * RASTER_SQUARE,
			     s->top + row_of(s, sq) * RASTER_SQUARE, RASTER_SQUARE, RASTER_SQUARE,
			     2 * kind + (rank + file + 1) % 2);
		}
}

/* The men in hand, in a row, the strongest first; those that find no room are left out. */
static void draw_pocket(const struct easel *s, enum color c, unsigned y)
{
	const unsigned size = RASTER_MAN(true);
	unsigned x = 0;

	fill(s->r, 0, y, s->r->width, size, STRIP);
	for (unsigned type = POCKET_TYPES; type-- > 0;) {
		const struct man man = { .color = (uint8_t)c, .type = (uint8_t)type };

		for (unsigned n = pocket_count(s->g, s->p, c, type); n && x + size <= s->r->width;
		     n--, x += size)
			put_man(s, x, y, &man, SMALL);
	}
}

void raster_draw(struct raster *r, const char *override_dir, const struct game *g,
                 const struct pos *p, const struct svg_look *look)
{
	const struct marks m = marks_find(g, p, look->last, look->fx);
	struct easel s = {
		r, override_dir, g, p, game_board(g), look->side == BLACK, strip_height(g)
	};

	draw_squares(&s, &m);
	for (size_t i = 0; m.gone && i < look->fx->removed_count; i++)
		if (m.gone & BIT(look->fx->removed[i].square))
			put_on_square(&s, &look->fx->removed[i], PALE);
	for (uint64_t men = p->color[WHITE] | p->color[BLACK]; men; men &= men - 1) {
		struct man man = board_man(p, bit_first(men));

		put_on_square(&s, &man, LARGE);
	}
	if (s.top) {
		draw_pocket(&s, s.turned ? WHITE : BLACK, 0);
		draw_pocket(&s, s.turned ? BLACK : WHITE, r->height - s.top);
	}
}
