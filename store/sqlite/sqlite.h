/* The texts of the SQLite back-end: its schema and one statement a query.
 * Private to sqlite*.c and the test that reads the query plans. */
#ifndef STORE_SQLITE_SQLITE_H
#define STORE_SQLITE_SQLITE_H

#include "store/db.h"

#define SQLITE_SCHEMA_VERSION 5

/* Has an effect once, before the library is used the first time. */
void sqlite_own_memory(void);

/* Step n makes version n + 1 of version n; version 0 is an empty file. */
extern const char *const sqlite_steps[SQLITE_SCHEMA_VERSION];
/* What a built database takes over from the attached one called old. */
extern const char sqlite_adopt[];

struct sqlite_query {
	const char *sql;
	bool whole; /* walks a whole table on purpose */
};
extern const struct sqlite_query sqlite_queries[DB_QUERIES];

#endif
