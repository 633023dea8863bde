#include "store/store_backend.h"

#include "store/sqlite/sqlite.h"

const struct db_backend *store_backend(void)
{
	return &sqlite_backend;
}
