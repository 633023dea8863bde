/* A value that is bound to a query: NULL, a number, a text or bytes.  A value
 * points to its text or bytes and does not own them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct db_value {
	enum { DB_NULL, DB_INT, DB_TEXT, DB_BYTES } type;
	int64_t number;
	const void *bytes;
	size_t len;
};

struct db_value db_int(int64_t n);
struct db_value db_count(size_t n);        /* for limits: INT64_MAX at most */
struct db_value db_text(const char *text); /* NULL gives DB_NULL */
struct db_value db_bytes(const void *bytes, size_t n);

/* The two arguments "number of values, values" of db_run() and its kind. */
#define DB_NONE 0, NULL
#define DB_ARGS(...)                                                                               \
	sizeof((const struct db_value[]){ __VA_ARGS__ }) / sizeof(struct db_value),                \
		(const struct db_value[])                                                          \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
