#include "pbm/text/markdown_table.h"

#include <string.h>

#include "pbm/text/markdown_fill.h"

#define GUTTER 2     /* blanks between columns */
#define COLUMN_MIN 6 /* no column is made narrower */
#define LINE_MAX_BYTES 4096

bool table_start(struct table *t, size_t columns)
{
	t->columns = columns;
	t->n = 0;
	return columns > 0 && columns <= TABLE_COLUMNS_MAX;
}

bool table_add(struct table *t, const char *text, enum table_align align)
{
	if (t->n == TABLE_CELLS_MAX)
		return false;
	t->align[t->n % t->columns] = align;
	t->cell[t->n++] = arena_strdup(&t->arena, text);
	return true;
}

void table_quote_code(struct str *cell)
{
	bool code = false, prose = false;
	size_t n = 0;

	for (const char *p = cell->data; *p; p++) {
		code ^= *p == *TABLE_CODE_MARK;
		prose |= !code && !strchr(" ," TABLE_CODE_MARK, *p);
	}
	for (size_t i = 0; i < cell->len; i++)
		if (cell->data[i] != *TABLE_CODE_MARK)
			cell->data[n++] = cell->data[i];
		else if (prose)
			cell->data[n++] = '"';
	cell->data[cell->len = n] = '\0';
}

void table_release(struct table *t)
{
	arena_release(&t->arena);
	t->n = 0;
}

/* Each column becomes as wide as its widest cell.  If that is too wide for the
 * table, the widest columns are made narrower. */
static void fit_columns(const struct table *t, size_t width, size_t *columns)
{
	size_t sum = GUTTER * (t->columns - 1);

	memset(columns, 0, t->columns * sizeof *columns);
	for (size_t i = 0; i < t->n; i++) {
		size_t n = fill_columns(t->cell[i], strlen(t->cell[i]));

		if (n > columns[i % t->columns])
			columns[i % t->columns] = n;
	}
	for (size_t c = 0; c < t->columns; c++)
		sum += columns[c];
	while (sum > width) {
		size_t widest = 0;

		for (size_t c = 1; c < t->columns; c++)
			if (columns[c] > columns[widest])
				widest = c;
		if (columns[widest] <= COLUMN_MIN)
			break;
		columns[widest]--;
		sum--;
	}
}

static void add_blanks(struct str *out, size_t n)
{
	while (n-- > 0)
		str_add_char(out, ' ');
}

static void add_cell(struct str *out, const char *s, size_t n, size_t width, enum table_align align)
{
	size_t used = fill_columns(s, n), spare = used < width ? width - used : 0;
	size_t left = align == TABLE_RIGHT ? spare : align == TABLE_CENTER ? spare / 2 : 0;

	add_blanks(out, left);
	fill_write(out, s, n);
	add_blanks(out, spare - left);
}

/* Writes one row, in as many lines as its longest cell needs. */
static void write_row(const struct table *t, size_t row, const size_t *columns, table_line_fn *line,
                      void *arg)
{
	struct filler f[TABLE_COLUMNS_MAX];
	char buf[LINE_MAX_BYTES];

	for (size_t c = 0; c < t->columns; c++)
		f[c] = (struct filler){ .at = t->cell[row + c], .width = columns[c] };
	for (bool first = true, more = true; more; first = false) {
		struct str s = STR_FIXED(buf);

		more = false;
		for (size_t c = 0; c < t->columns; c++) {
			more |= fill_next(&f[c]);
			add_blanks(&s, c ? GUTTER : 0);
			add_cell(&s, f[c].line, f[c].n, columns[c], t->align[c]);
		}
		if (more || first)
			line(arg, s.data, s.len);
	}
}

static void write_rule(const struct table *t, const size_t *columns, table_line_fn *line, void *arg)
{
	struct str s = STR_LOCAL(LINE_MAX_BYTES);

	for (size_t c = 0; c < t->columns; c++) {
		add_blanks(&s, c ? GUTTER : 0);
		for (size_t i = 0; i < columns[c]; i++)
			str_add_char(&s, '-');
	}
	line(arg, s.data, s.len);
}

void table_write(const struct table *t, size_t width, table_line_fn *line, void *arg)
{
	size_t columns[TABLE_COLUMNS_MAX];

	if (t->n == 0)
		return;
	fit_columns(t, width, columns);
	for (size_t row = 0; row + t->columns <= t->n; row += t->columns) {
		write_row(t, row, columns, line, arg);
		if (row == 0)
			write_rule(t, columns, line, arg);
	}
}
