/* A table of the text form of markdown: cells are collected, then laid out in
 * columns that share the width; cells too long for theirs go on below. */
#ifndef PBM_TEXT_MARKDOWN_TABLE_H
#define PBM_TEXT_MARKDOWN_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/mem.h"

#define TABLE_COLUMNS_MAX 12
#define TABLE_CELLS_MAX 1200

enum table_align { TABLE_LEFT, TABLE_CENTER, TABLE_RIGHT };

struct table {
	struct arena arena;
	size_t columns, n;
	enum table_align align[TABLE_COLUMNS_MAX];
	const char *cell[TABLE_CELLS_MAX]; /* row by row, the heading first */
};

/* False when there are too many columns.  table_release() must follow. */
bool table_start(struct table *t, size_t columns);
/* False when there are too many cells. */
bool table_add(struct table *t, const char *text, enum table_align align);

typedef void table_line_fn(void *arg, const char *line, size_t n);
/* Hands over the lines, the heading underlined, to be at most width columns
 * wide where the number of columns allows it. */
void table_write(const struct table *t, size_t width, table_line_fn *line, void *arg);
void table_release(struct table *t);

#endif
