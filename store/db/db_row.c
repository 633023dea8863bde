#include "store/db/db_row.h"

#include "store/db/db_backend.h"

int64_t db_row_int(const struct db_row *row, int column)
{
	return row->backend->row_int(row, column);
}

const char *db_row_text(const struct db_row *row, int column)
{
	return row->backend->row_text(row, column);
}

const void *db_row_bytes(const struct db_row *row, int column, size_t *len)
{
	return row->backend->row_bytes(row, column, len);
}
