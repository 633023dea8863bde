/* The texts of the SQLite back-end: its schema and one statement a query.
 * Private to sqlite*.c and the test that reads the query plans. */
#ifndef STORE_SQLITE_H
#define STORE_SQLITE_H

#include "store/db.h"

#define SQLITE_SCHEMA_VERSION 1

extern const char sqlite_schema[];
extern const char sqlite_adopt[];

struct sqlite_query {
	const char *sql;
	bool whole;            /* walks a whole table on purpose */
};
extern const struct sqlite_query sqlite_queries[DB_QUERIES];

#endif
