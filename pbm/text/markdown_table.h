/* A table in the text form of Markdown.  The cells are collected, then laid out
 * in columns that share the width.  A cell too long for its column goes on in
 * the next line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define TABLE_COLUMNS_MAX 12
#define TABLE_CELLS_MAX 1200

enum table_align { TABLE_LEFT, TABLE_CENTER, TABLE_RIGHT };

struct table {
	struct arena arena;
	size_t columns, n;
	enum table_align align[TABLE_COLUMNS_MAX];
	const char *cell[TABLE_CELLS_MAX]; /* row by row, beginning with the heading */
};

/* False when there are too many columns.  table_release() must follow. */
bool table_start(struct table *t, size_t columns);
/* False when there are too many cells. */
bool table_add(struct table *t, const char *text, enum table_align align);

/* Stands before and after code in a cell's text until table_quote_code(). */
#define TABLE_CODE_MARK "\x02"
/* Gives code in a sentence quotation marks.  A cell that has nothing but code, or
 * words of code with commas between them, gets none. */
void table_quote_code(struct str *cell);

typedef void table_line_fn(void *arg, const char *line, size_t n);
/* Calls line() for each line of the table; the heading is underlined.  Lines are
 * at most width columns wide, unless the table has too many columns for that. */
void table_write(const struct table *t, size_t width, table_line_fn *line, void *arg);
void table_release(struct table *t);
