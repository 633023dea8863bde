#include "games/board.h"
#include "games/game.h"
#include "games/pocket.h"

#define LINES_AND_CORNERS                                                                          \
	"│", "─", { "┌", "┬", "┐" }, { "├", "┼", "┤" },                                            \
	{                                                                                          \
		"└", "┴", "┘"                                                                    \
	}

/* The signs of a drawing. */
static const struct signs {
	const char *wall;                     /* between two squares of a rank */
	const char *rule;                     /* between two ranks */
	const char *top[3], *mid[3], *low[3]; /* where they meet: left, inside, right */
	bool figures;
} all_signs[] = {
	[DRAW_ASCII] = { "|", "-", { "+", "+", "+" }, { "+", "+", "+" }, { "+", "+", "+" }, false },
	[DRAW_UNICODE] = { LINES_AND_CORNERS, false },
	[DRAW_FIGURINE] = { LINES_AND_CORNERS, true },
};

const char *const game_figures[2][PIECE_TYPES] = { { "♙", "♘", "♗", "♖", "♕", "♔" },
	                                           { "♟", "♞", "♝", "♜", "♛", "♚" } };

struct drawing {
	const struct game *g;
	struct board_size board;
	const struct pos *p;
	uint64_t marked;
	bool turned; /* seen from Black's side */
	const struct signs *signs;
	unsigned pad; /* blanks on each side of a square's sign and its marks */
};

static unsigned file_at(const struct drawing *d, unsigned i)
{
	return d->turned ? d->board.files - 1 - i : i;
}

static unsigned rank_at(const struct drawing *d, unsigned i)
{
	return d->turned ? i : d->board.ranks - 1 - i;
}

static void repeat(struct str *out, const char *sign, unsigned n)
{
	while (n--)
		str_add(out, sign);
}

static void draw_files(const struct drawing *d, struct str *out)
{
	str_add(out, "   ");
	for (unsigned i = 0; i < d->board.files; i++) {
		repeat(out, " ", 3 + (i ? 2 : 1) * d->pad);
		str_add_char(out, (char)('a' + file_at(d, i)));
	}
	str_add_char(out, '\n');
}

static void draw_rule(const struct drawing *d, const char *rule, const char *const ends[3],
                      struct str *out)
{
	str_addf(out, "    %s", ends[0]);
	for (unsigned i = 0; i < d->board.files; i++) {
		repeat(out, rule, 3 + 2 * d->pad);
		str_add(out, ends[i + 1 < d->board.files ? 1 : 2]);
	}
	str_add_char(out, '\n');
}

static void draw_sign(const struct drawing *d, unsigned color, unsigned type, struct str *out)
{
	if (d->signs->figures)
		str_add(out, game_figures[color][type]);
	else
		str_add_char(out, piece_letter(color, type));
}

/* The sign of the man on a square, or empty. */
static void draw_man(const struct drawing *d, unsigned sq, const char *empty, struct str *out)
{
	struct man man = board_man(d->p, sq);

	if (man.type == NO_PIECE)
		str_add(out, empty);
	else
		draw_sign(d, man.color, man.type, out);
}

/* "    [ Q P P ]" on the side of its owner; nothing for an empty pocket. */
static void draw_pocket(const struct drawing *d, bool below, struct str *out)
{
	enum color c = below == d->turned ? BLACK : WHITE;

	if (pocket_is_empty(d->g, d->p, c))
		return;
	str_add(out, "    [ ");
	for (unsigned type = PIECE_TYPES; type-- > 0;)
		for (unsigned n = pocket_count(d->g, d->p, c, type); n > 0; n--) {
			draw_sign(d, c, type, out);
			str_add_char(out, ' ');
		}
	str_add(out, "]\n");
}

static void draw_square(const struct drawing *d, unsigned sq, struct str *out)
{
	bool marked = d->marked & BIT(sq), man = board_man(d->p, sq).type != NO_PIECE;
	const char *beside = marked && man ? "*" : " ";

	repeat(out, " ", d->pad);
	str_add(out, beside);
	draw_man(d, sq, marked ? "*" : " ", out);
	str_add(out, beside);
	repeat(out, " ", d->pad);
	str_add(out, d->signs->wall);
}

/* The empty line above and below the men of a large board. */
static void draw_gap(const struct drawing *d, struct str *out)
{
	const char *wall = d->signs->wall;

	if (d->pad)
		draw_rule(d, " ", (const char *const[]){ wall, wall, wall }, out);
}

static void draw_rank(const struct drawing *d, unsigned rank, struct str *out)
{
	draw_gap(d, out);
	str_addf(out, "  %u %s", rank + 1, d->signs->wall);
	for (unsigned i = 0; i < d->board.files; i++)
		draw_square(d, 8 * rank + file_at(d, i), out);
	str_addf(out, " %u\n", rank + 1);
	draw_gap(d, out);
}

static void draw_framed(const struct drawing *d, struct str *out)
{
	draw_files(d, out);
	draw_rule(d, d->signs->rule, d->signs->top, out);
	for (unsigned i = 0; i < d->board.ranks; i++) {
		draw_rank(d, rank_at(d, i), out);
		draw_rule(d, d->signs->rule, i + 1 < d->board.ranks ? d->signs->mid : d->signs->low,
		          out);
	}
	draw_files(d, out);
}

/* Without a frame, two columns a square; a star stands before a marked one. */
static void draw_small(const struct drawing *d, struct str *out)
{
	for (unsigned i = 0; i < d->board.ranks; i++) {
		unsigned rank = rank_at(d, i);

		str_addf(out, "  %u ", rank + 1);
		for (unsigned k = 0; k < d->board.files; k++) {
			unsigned sq = 8 * rank + file_at(d, k);

			str_add_char(out, d->marked & BIT(sq) ? '*' : ' ');
			draw_man(d, sq, ".", out);
		}
		str_add_char(out, '\n');
	}
	str_add(out, "    ");
	for (unsigned k = 0; k < d->board.files; k++)
		str_addf(out, " %c", 'a' + file_at(d, k));
	str_add_char(out, '\n');
}

/* "  rooks a1 h1": the men of one kind, or nothing. */
static void list_men(const struct drawing *d, unsigned color, unsigned type, struct str *out)
{
	uint64_t men = d->p->color[color] & d->p->type[type];

	if (!men)
		return;
	str_addf(out, "  %s%s", piece_names[type], men & (men - 1) ? "s" : "");
	for (unsigned sq = 0; sq < 64; sq++)
		if (men & BIT(sq))
			str_addf(out, " %s", SQUARE(sq));
	str_add_char(out, '\n');
}

void game_write_pocket(const struct game *g, const struct pos *p, enum color c, struct str *out)
{
	const char *before = "";

	for (unsigned type = POCKET_TYPES; type-- > 0;) {
		unsigned n = pocket_count(g, p, c, type);

		if (!n)
			continue;
		str_add(out, before);
		if (n > 1)
			str_addf(out, "%u ", n);
		str_addf(out, "%s%s", piece_names[type], n > 1 ? "s" : "");
		before = ", ";
	}
}

static void draw_prose(const struct drawing *d, struct str *out)
{
	static const char *const sides[] = { "White:\n", "Black:\n" };

	for (unsigned i = 0; i < 2; i++) {
		unsigned color = d->turned ? !i : i; /* the viewer's own men first */

		str_add(out, sides[color]);
		for (unsigned type = PIECE_TYPES; type-- > 0;)
			list_men(d, color, type, out);
		if (pocket_is_empty(d->g, d->p, color))
			continue;
		str_add(out, "  pocket: ");
		game_write_pocket(d->g, d->p, color, out);
		str_add_char(out, '\n');
	}
}

uint64_t game_marks(const struct game *g, const struct pos *p, const struct move *m)
{
	if (g->rules->marks)
		return g->rules->marks(g, p, m);
	return m->from == NO_SQUARE ? 0 : BIT(m->from) | BIT(m->to);
}

void game_draw_in(const struct game *g, const struct pos *p, enum color viewer,
                  const struct move *last, struct draw_style style, struct str *out)
{
	struct drawing d = {
		.g = g,
		.board = game_board(g),
		.p = p,
		.turned = viewer == BLACK,
		.marked = last ? game_marks(g, p, last) : 0,
		.pad = style.size == DRAW_LARGE,
	};

	if (style.kind == DRAW_PROSE) {
		draw_prose(&d, out);
		return;
	}
	d.signs = &all_signs[style.kind];
	draw_pocket(&d, false, out);
	if (style.size == DRAW_SMALL)
		draw_small(&d, out);
	else
		draw_framed(&d, out);
	draw_pocket(&d, true, out);
}

void game_draw(const struct game *g, const struct pos *p, enum color viewer,
               const struct move *last, struct str *out)
{
	game_draw_in(g, p, viewer, last, (struct draw_style){ DRAW_ASCII, DRAW_NORMAL }, out);
}
