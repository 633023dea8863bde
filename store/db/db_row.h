/* One row of a query's answer, read by column.  A row, and every pointer that
 * these functions return, is valid until the callback of db_each() returns. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct db_row;

int64_t db_row_int(const struct db_row *row, int column);
/* NULL when the column is NULL. */
const char *db_row_text(const struct db_row *row, int column);
/* Never NULL; *len is 0 for an empty or NULL column. */
const void *db_row_bytes(const struct db_row *row, int column, size_t *len);
