#include "pbm/picture/svg.h"

#include "games/board.h"
#include "games/pocket.h"
#include "pbm/picture/marks.h"

#define SIDE 45 /* of a square */

struct canvas {
	struct board_size board;
	bool turned;
	struct str *out;
};

/* The column and row of a square, from the upper left corner. */
static unsigned column_of(const struct canvas *c, unsigned sq)
{
	return c->turned ? c->board.files - 1 - square_file(sq) : square_file(sq);
}

static unsigned row_of(const struct canvas *c, unsigned sq)
{
	return c->turned ? square_rank(sq) : c->board.ranks - 1 - square_rank(sq);
}

void svg_men(const struct svg_men *men, struct str *out)
{
	str_add(out, "<svg class=\"men\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
	             "<g id=\"squares\"><path class=\"light\" d=\"M0 0h360v360H0z\"/>"
	             "<path class=\"dark\" d=\"");
	for (unsigned row = 0; row < 8; row++)
		for (unsigned column = 1 - row % 2; column < 8; column += 2)
			str_addf(out, "M%u %uh45v45h-45z", column * SIDE, row * SIDE);
	str_add(out, "\"/></g>\n");
	for (unsigned color = 0; color < 2; color++)
		for (unsigned type = 0; type < PIECE_TYPES; type++)
			str_addf(out,
			         "<image id=\"%c%c\" width=\"45\" height=\"45\" href=\"%s\"/>\n",
			         color == WHITE ? 'w' : 'b', piece_letters[type],
			         men->url[color][type]);
	str_add(out, "</defs></svg>\n");
}

/* The squares of a drawing: light at the upper left where the last of the 8x8 ones is. */
static void draw_squares(const struct canvas *c)
{
	unsigned corner = c->turned ? c->board.files : c->board.ranks;

	str_add(c->out, "<use href=\"#squares\"");
	if (corner % 2)
		str_addf(c->out, " x=\"-%u\"", SIDE);
	str_add(c->out, "/>");
}

static void draw_set(const struct canvas *c, const char *class, uint64_t set)
{
	if (!set)
		return;
	str_addf(c->out, "<path class=\"%s\" d=\"", class);
	for (; set; set &= set - 1) {
		unsigned sq = bit_first(set);

		str_addf(c->out, "M%u %uh45v45h-45z", column_of(c, sq) * SIDE,
		         row_of(c, sq) * SIDE);
	}
	str_add(c->out, "\"/>");
}

static void draw_man(const struct canvas *c, const struct man *m, const char *class)
{
	str_add(c->out, "<use");
	if (class)
		str_addf(c->out, " class=\"%s\"", class);
	str_addf(c->out, " href=\"#%c%c\"", m->color == WHITE ? 'w' : 'b', piece_letters[m->type]);
	if (column_of(c, m->square))
		str_addf(c->out, " x=\"%u\"", column_of(c, m->square) * SIDE);
	if (row_of(c, m->square))
		str_addf(c->out, " y=\"%u\"", row_of(c, m->square) * SIDE);
	str_add(c->out, "/>");
}

/* Men that the turn removed, from squares that are empty now. */
static void draw_removed(const struct canvas *c, uint64_t gone, const struct effects *fx)
{
	for (size_t i = 0; gone && i < fx->removed_count; i++)
		if (gone & BIT(fx->removed[i].square))
			draw_man(c, &fx->removed[i], "gone");
}

/* The letters of the lowest row, or the numbers of the left column, of those squares that are
 * dark or light. */
static void draw_signs(const struct canvas *c, bool letters, unsigned dark)
{
	unsigned n = letters ? c->board.files : c->board.ranks;

	str_addf(c->out, "<g class=\"%s\">", dark ? "on-dark" : "on-light");
	for (unsigned i = 0; i < n; i++) {
		unsigned file = letters ? i : c->turned ? c->board.files - 1U : 0;
		unsigned rank = !letters ? i : c->turned ? c->board.ranks - 1U : 0;
		unsigned sq = 8 * rank + file;

		if ((file + rank) % 2 != dark)
			str_addf(c->out, "<text x=\"%u\" y=\"%u\">%c</text>",
			         column_of(c, sq) * SIDE + (letters ? 37 : 2),
			         row_of(c, sq) * SIDE + (letters ? 43 : 10),
			         letters ? (char)('a' + i) : (char)('1' + i));
	}
	str_add(c->out, "</g>");
}

void svg_board(const struct game *g, const struct pos *p, const struct svg_look *look,
               struct str *out)
{
	struct canvas c = { game_board(g), look->side == BLACK, out };
	struct marks marks = marks_find(g, p, look->last, look->fx);

	str_add(out, "<svg class=\"board");
	if (c.board.files != 8)
		str_addf(out, " w%u", c.board.files);
	if (look->class)
		str_addf(out, " %s", look->class);
	str_addf(out, "\" viewBox=\"0 0 %u %u\" role=\"img\" aria-label=\"", c.board.files * SIDE,
	         c.board.ranks * SIDE);
	svg_text(g, p, out);
	str_add(out, "\">");
	draw_squares(&c);
	draw_set(&c, "mark", marks.last);
	draw_set(&c, "owed", marks.owed);
	draw_set(&c, "check", marks.check);
	for (unsigned i = 0; look->coordinates && i < 4; i++)
		draw_signs(&c, i / 2 == 0, i % 2);
	draw_removed(&c, marks.gone, look->fx);
	for (uint64_t men = p->color[WHITE] | p->color[BLACK]; men; men &= men - 1) {
		struct man man = board_man(p, bit_first(men));

		draw_man(&c, &man, NULL);
	}
	str_add(out, "</svg>");
}

/* "White: king e1, pawns a2 b2" */
static void list_side(const struct pos *p, enum color color, struct str *out)
{
	const char *before = color == WHITE ? "White: " : "; Black: ";

	if (!p->color[color]) {
		str_addf(out, "%sno men", before);
		return;
	}
	for (unsigned type = PIECE_TYPES; type-- > 0;) {
		uint64_t men = p->color[color] & p->type[type];

		if (!men)
			continue;
		str_addf(out, "%s%s%s", before, piece_names[type], men & (men - 1) ? "s" : "");
		for (; men; men &= men - 1) {
			str_add_char(out, ' ');
			square_write(bit_first(men), out);
		}
		before = ", ";
	}
}

void svg_text(const struct game *g, const struct pos *p, struct str *out)
{
	list_side(p, WHITE, out);
	list_side(p, BLACK, out);
	str_add_char(out, '.');
	for (unsigned c = WHITE; c <= BLACK; c++) {
		if (pocket_is_empty(g, p, c))
			continue;
		str_add(out, c == WHITE ? " White's pocket: " : " Black's pocket: ");
		game_write_pocket(g, p, c, out);
		str_add_char(out, '.');
	}
	if (game_in_check(g, p))
		str_addf(out, " %s is in check.", p->to_move == WHITE ? "White" : "Black");
}
