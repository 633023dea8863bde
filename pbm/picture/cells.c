#include "pbm/picture/cells.h"

#include <stdio.h>

#include "games/board.h"
#include "games/pocket.h"

#define EDGE "color:#767676;font:11px sans-serif;text-align:center"

const char *const cells_colors[CELLS_COLORS][2] = {
	[CELLS_PLAIN] = { "#f0d9b5", "#b58863" },
	[CELLS_LAST] = { "#d8d96b", "#aaa23a" },
	[CELLS_CHECK] = { "#f0907c", "#dd6a52" },
	[CELLS_OWED] = { "#8fc7e8", "#5aa3cf" },
};

struct sheet {
	const struct cells_look *look;
	const struct pos *p;
	struct board_size board;
	struct marks marks;
	char size[40]; /* " width=38 height=38" */
	struct str *out;
};

static enum cells_color color_of(const struct marks *m, uint64_t bit)
{
	if (m->check & bit)
		return CELLS_CHECK;
	if (m->owed & bit)
		return CELLS_OWED;
	return m->last & bit ? CELLS_LAST : CELLS_PLAIN;
}

/* <img src="cid:wP.1f3a@pbm" width=38 height=38 alt="white pawn e2" style="display:block"> */
static void add_man(const struct sheet *s, const struct man *man)
{
	str_add(s->out, "<img src=\"cid:");
	str_add(s->out, s->look->men[man->color][man->type]);
	str_add(s->out, "\"");
	str_add(s->out, s->size);
	str_add(s->out, " alt=\"");
	str_add(s->out, s->look->words[man->color][man->type]);
	str_add_char(s->out, ' ');
	square_write(man->square, s->out);
	str_add(s->out, "\" style=\"display:block\">");
}

/* A row of men in hand, each kind with its number if there are several. */
static void add_pocket(const struct sheet *s, enum color c)
{
	const uint8_t *n = s->p->own + POCKET_TYPES * c;
	unsigned pixels = s->look->pixels * 3 / 4;

	if (!s->look->pockets)
		return;
	str_addf(s->out, "<tr><td></td><td colspan=%u height=%u style=\"font:14px sans-serif\">",
	         s->board.files, pixels);
	for (unsigned type = POCKET_TYPES; type-- > 0;) {
		if (!n[type])
			continue;
		str_addf(s->out, "<img src=\"cid:%s\" width=%u height=%u alt=\"%s\">",
		         s->look->men[c][type], pixels, pixels, s->look->words[c][type]);
		if (n[type] > 1)
			str_addf(s->out, "&times;%u", n[type]);
		str_add(s->out, "\n");
	}
	str_add(s->out, "</td></tr>\n");
}

static void add_square(const struct sheet *s, unsigned sq)
{
	struct man man = board_man(s->p, sq);
	bool dark = (square_file(sq) + square_rank(sq)) % 2 == 0;

	str_add(s->out, "<td");
	if (man.type == NO_PIECE)
		str_add(s->out, s->size);
	str_add(s->out, " bgcolor=");
	str_add(s->out, cells_colors[color_of(&s->marks, BIT(sq))][dark]);
	if (s->marks.gone & BIT(sq))
		str_add(s->out, " align=center style=\"color:#a11;font-size:22px\">&times;");
	else
		str_add_char(s->out, '>');
	if (man.type != NO_PIECE)
		add_man(s, &man);
	str_add(s->out, "</td>");
}

static void add_files(const struct sheet *s, bool turned)
{
	str_add(s->out, "<tr><td></td>");
	for (unsigned i = 0; i < s->board.files; i++)
		str_addf(s->out, "<td style=\"" EDGE "\">%c</td>",
		         (char)('a' + (turned ? s->board.files - 1U - i : i)));
	str_add(s->out, "</tr>\n");
}

void cells_table(const struct pos *p, struct board_size size, const struct marks *marks,
                 const struct cells_look *look, struct str *out)
{
	struct sheet s = { .look = look, .p = p, .board = size, .marks = *marks, .out = out };
	bool turned = look->side == BLACK;

	snprintf(s.size, sizeof s.size, " width=%u height=%u", look->pixels, look->pixels);
	/* Small letters: without pictures "white knight" is to fit into a square. */
	str_add(out, "<table role=presentation border=0 cellpadding=0 cellspacing=0 "
	             "style=\"border-collapse:collapse;font:9px/11px sans-serif;color:#222\">\n");
	add_pocket(&s, turned ? WHITE : BLACK);
	for (unsigned i = 0; i < s.board.ranks; i++) {
		unsigned rank = turned ? i : s.board.ranks - 1U - i;

		str_addf(out, "<tr><td width=16 style=\"" EDGE "\">%u</td>\n", rank + 1);
		for (unsigned k = 0; k < s.board.files; k++) {
			add_square(&s, 8 * rank + (turned ? s.board.files - 1U - k : k));
			str_add(out, k % 4 == 3 ? "\n" : ""); /* no line is too long for mail */
		}
		str_add(out, "</tr>\n");
	}
	add_files(&s, turned);
	add_pocket(&s, look->side);
	str_add(out, "</table>\n");
}
