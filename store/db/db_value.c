#include "store/db/db_value.h"

#include <string.h>

struct db_value db_int(int64_t n)
{
	return (struct db_value){ .type = DB_INT, .number = n };
}

struct db_value db_count(size_t n)
{
	return db_int(n > INT64_MAX ? INT64_MAX : (int64_t)n);
}

struct db_value db_text(const char *text)
{
	if (!text)
		return (struct db_value){ .type = DB_NULL };
	return (struct db_value){ .type = DB_TEXT, .bytes = text, .len = strlen(text) };
}

struct db_value db_bytes(const void *bytes, size_t n)
{
	return (struct db_value){ .type = DB_BYTES, .bytes = bytes, .len = n };
}
