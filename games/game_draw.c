#include <ctype.h>

#include "games/board.h"
#include "games/game.h"

struct drawing {
	struct board_size board;
	const struct pos *p;
	uint64_t marked;
	bool turned; /* seen from Black's side */
};

static void draw_files(const struct drawing *d, struct str *out)
{
	str_add(out, "   ");
	for (unsigned i = 0; i < d->board.files; i++) {
		unsigned file = d->turned ? d->board.files - 1 - i : i;

		str_addf(out, "   %c", 'a' + file);
	}
	str_add_char(out, '\n');
}

static void draw_rule(const struct drawing *d, struct str *out)
{
	str_add(out, "    +");
	for (unsigned i = 0; i < d->board.files; i++)
		str_add(out, "---+");
	str_add_char(out, '\n');
}

static void draw_square(const struct drawing *d, unsigned sq, struct str *out)
{
	struct man man = board_man(d->p, sq);
	bool marked = d->marked & BIT(sq);
	char c = ' ';

	if (man.type != NO_PIECE)
		c = piece_letters[man.type];
	else if (marked)
		c = '*';
	if (man.color == BLACK)
		c = (char)tolower(c);
	if (marked && man.type != NO_PIECE)
		str_addf(out, "*%c*|", c);
	else
		str_addf(out, " %c |", c);
}

static void draw_rank(const struct drawing *d, unsigned rank, struct str *out)
{
	str_addf(out, "  %u |", rank + 1);
	for (unsigned i = 0; i < d->board.files; i++) {
		unsigned file = d->turned ? d->board.files - 1 - i : i;

		draw_square(d, 8 * rank + file, out);
	}
	str_addf(out, " %u\n", rank + 1);
}

uint64_t game_marks(const struct game *g, const struct pos *p, const struct move *m)
{
	if (g->rules->marks)
		return g->rules->marks(g, p, m);
	return m->from == NO_SQUARE ? 0 : BIT(m->from) | BIT(m->to);
}

void game_draw(const struct game *g, const struct pos *p, enum color viewer,
               const struct move *last, struct str *out)
{
	struct drawing d = {
		.board = game_board(g),
		.p = p,
		.turned = viewer == BLACK,
		.marked = last ? game_marks(g, p, last) : 0,
	};

	draw_files(&d, out);
	draw_rule(&d, out);
	for (unsigned i = 0; i < d.board.ranks; i++) {
		draw_rank(&d, d.turned ? i : d.board.ranks - 1 - i, out);
		draw_rule(&d, out);
	}
	draw_files(&d, out);
}
