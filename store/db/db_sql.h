/* The text of each query, and of the checks of tables that follow from others, in words of SQL that every back-end understands once it has translated
 * the few that it spells in another way.  For back-ends alone, and for the test that reads the
 * query plans. */
#pragma once

#include <stdbool.h>

#include "store/db/db_query.h"

struct db_sql {
	const char *sql; /* ?1 is the first value; INDEXED BY names the index that must serve it */
	bool whole;      /* walks a whole table on purpose */
};
extern const struct db_sql db_sql[DB_QUERIES]; /* from db_sql.sql */

/* A table that follows from other tables. */
struct db_derived {
	const char *table;
	const char *wrong, *mend; /* SQL: how many rows are wrong; statements that mend them */
};
#define DB_DERIVED 9
#define DB_DERIVED_OF_VIEW 4 /* the first ones, `lists` before those that follow from it */
extern const struct db_derived db_derived[DB_DERIVED];
