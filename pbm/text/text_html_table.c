#include "pbm/text/text_html_table.h"

#include <stdint.h>
#include <string.h>

#define INDENT_ROW 8
#define COLUMNS_MAX 160
#define CELLS_MAX 12
#define ROWS_SURE 8 /* in so many rows a gap of one column is none by chance */

struct grid {
	size_t rows, count;
	size_t from[CELLS_MAX], to[CELLS_MAX]; /* columns */
	bool numbers[CELLS_MAX];
};

static bool is_spread(const struct html_lines *p, size_t i)
{
	return !html_is_blank(p, i) && html_has_gap(&p->v[i]) && !html_is_drawing(&p->v[i]);
}

/* The titles of columns may stand far to the right. */
bool html_is_row(const struct html_lines *p, size_t i)
{
	return is_spread(p, i) && (p->v[i].indent < INDENT_ROW ||
	                           (is_spread(p, i + 1) && p->v[i + 1].indent < INDENT_ROW));
}

static void note_columns(const struct text_line *l, bool used[COLUMNS_MAX])
{
	size_t column = l->indent;

	for (size_t i = 0; i < l->n && column < COLUMNS_MAX; i++) {
		if (((unsigned char)l->s[i] & 0xc0) == 0x80)
			continue;
		used[column++] |= l->s[i] != ' ';
	}
}

static void find_cells(const bool used[COLUMNS_MAX], struct grid *g)
{
	size_t need = g->rows >= ROWS_SURE ? 1 : 2, blanks = need;

	g->count = 0;
	for (size_t c = 0; c < COLUMNS_MAX; c++) {
		if (!used[c]) {
			blanks++;
			continue;
		}
		if (blanks >= need && g->count < CELLS_MAX)
			g->from[g->count++] = c;
		if (g->count)
			g->to[g->count - 1] = c + 1;
		blanks = 0;
	}
	if (g->count)
		g->to[g->count - 1] = SIZE_MAX;
}

static void read_grid(const struct html_lines *p, size_t i, struct grid *g)
{
	bool used[COLUMNS_MAX] = { false };

	g->rows = 0;
	while (html_is_row(p, i + g->rows) || (g->rows && !html_is_blank(p, i + g->rows) &&
	                                       p->v[i + g->rows].indent >= INDENT_CODE))
		note_columns(&p->v[i + g->rows++], used);
	find_cells(used, g);
}

/* The text between two columns, without blanks around it. */
static struct text_line cell_of(const struct text_line *l, size_t from, size_t to)
{
	struct text_line cell = { .s = l->s };
	size_t column = l->indent, i = 0;

	for (; i < l->n && column < to; i++) {
		bool inside = ((unsigned char)l->s[i] & 0xc0) == 0x80;

		if (column < from || (column == from && !inside))
			cell.s = l->s + i;
		column += !inside;
	}
	while (i < l->n && ((unsigned char)l->s[i] & 0xc0) == 0x80)
		i++;
	cell.n = column > from ? (size_t)(l->s + i - cell.s) : 0;
	while (cell.n && *cell.s == ' ') {
		cell.s++;
		cell.n--;
	}
	while (cell.n && cell.s[cell.n - 1] == ' ')
		cell.n--;
	return cell;
}

static bool has_only(const struct text_line *cell, const char *characters)
{
	for (size_t i = 0; i < cell->n; i++)
		if (!strchr(characters, cell->s[i]))
			return false;
	return cell->n > 0;
}

static bool is_number(const struct text_line *cell)
{
	return has_only(cell, "0123456789");
}

static struct text_line cell_at(const struct html_lines *p, const struct grid *g, size_t row,
                                size_t k)
{
	return cell_of(&p->v[row], g->from[k], g->to[k]);
}

/* Has a column numbers only, but for its title? */
static bool has_numbers(const struct html_lines *p, const struct grid *g, size_t i, size_t k)
{
	for (size_t row = i + 1; row < i + g->rows; row++) {
		struct text_line cell = cell_at(p, g, row, k);

		if (cell.n && !is_number(&cell))
			return false;
	}
	return true;
}

/* The number of lines of the row: the further ones have an empty first cell. */
static size_t row_lines(const struct html_lines *p, const struct grid *g, size_t row, size_t end)
{
	size_t n = 1;

	while (row + n < end && cell_at(p, g, row + n, 0).n == 0)
		n++;
	return n;
}

static void write_row(const struct html_lines *p, const struct grid *g, size_t row, size_t lines,
                      const char *tag)
{
	str_add(p->out, "<tr>");
	for (size_t k = 0; k < g->count; k++) {
		str_addf(p->out, "<%s valign=top align=%s>", tag, g->numbers[k] ? "right" : "left");
		for (size_t i = 0; i < lines; i++) {
			struct text_line cell = cell_at(p, g, row + i, k);

			str_add(p->out, i && cell.n ? "\n" : "");
			html_add_line(p, &cell);
		}
		str_addf(p->out, "</%s>", tag);
	}
	str_add(p->out, "</tr>\n");
}

size_t text_html_table(const struct html_lines *p, size_t i)
{
	struct grid g;

	read_grid(p, i, &g);
	if (g.rows < 2 || g.count < 2)
		return 0;
	for (size_t k = 0; k < g.count; k++)
		g.numbers[k] = has_numbers(p, &g, i, k);
	struct text_line top = cell_at(p, &g, i, 0), next = cell_at(p, &g, i + 1, 0);
	bool ruled = has_only(&next, "-"), titled = ruled || (!is_number(&top) && is_number(&next));
	str_add(p->out, "<table class=r cellpadding=4 cellspacing=0 border=0>\n");
	for (size_t row = i, end = i + g.rows; row < end;) {
		size_t lines = row_lines(p, &g, row, end);

		if (!(ruled && row == i + 1))
			write_row(p, &g, row, lines, titled && row == i ? "th" : "td");
		row += lines;
	}
	str_add(p->out, "</table>\n");
	return g.rows;
}
