/* The SQLite back-end.  The store uses sqlite_backend alone; everything else here
 * is shared by the files sqlite*.c and by the test that reads the query plans. */
#ifndef STORE_SQLITE_SQLITE_H
#define STORE_SQLITE_SQLITE_H

#include <sqlite3.h>

#include "store/db/db_backend.h"

extern const struct db_backend sqlite_backend;

struct sqlite_db {
	struct db base;
	sqlite3 *handle;
	sqlite3_stmt *statements[DB_QUERIES]; /* prepared when first needed */
	bool hurried;                         /* commits are not durable when they return */
	char *loose; /* SQL for the indexes and triggers that DB_BUILD dropped */
};

/* Runs SQL that gives no rows. */
int sqlite_execute(struct sqlite_db *d, const char *sql, struct err *e);

/* The first column of the first row of sql, as text of at most size - 1 bytes or
 * as a number; "" and 0 when there is no row. */
int sqlite_ask(struct sqlite_db *d, const char *sql, char *answer, size_t size, struct err *e);
int sqlite_ask_number(struct sqlite_db *d, const char *sql, int64_t *out, struct err *e);

/* Turns SQLite's last error into *e ("what: SQLite's text"), hands it to db_fail(), and returns
 * its code. */
int sqlite_complain(struct sqlite_db *d, const char *what, struct err *e);

/* The slots of sqlite_backend that open, close, and make files. */
int sqlite_open(const char *path, enum db_mode mode, struct db **out, struct err *e);
void sqlite_close(struct db *d);
int sqlite_version_of(const char *path, int64_t *out, struct err *e);
void sqlite_keep_log(struct db *d);
int sqlite_set_durable(struct db *d, bool durable, struct err *e);
int sqlite_harden(const char *path, struct err *e);
int sqlite_fold(const char *path, struct err *e);
int sqlite_adopt(struct db *d, const char *path, struct err *e);
int sqlite_build_done(struct db *d, struct err *e);
int sqlite_check_derived(struct db *d, size_t i, const char **table, int64_t *wrong, struct err *e);
int sqlite_mend_derived(struct db *d, size_t i, struct err *e);

/* Drops the indexes and triggers while a database is filled; sqlite_build_done() makes them
 * again. */
int sqlite_loosen(struct sqlite_db *d, struct err *e);

/* ERR_BUSY when another process has the database open and the mode needs it alone. */
int sqlite_set_journal(struct sqlite_db *d, const char *mode, struct err *e);

/* Makes SQLite's memory that of the program (pbm/base/mem.h).  Must be called before
 * the library is used for the first time; later calls do nothing. */
void sqlite_own_memory(void);

/* Step n makes version n + 1 of version n; version 0 is an empty file. */
#define SQLITE_SCHEMA_VERSION 19
extern const char *const sqlite_steps[SQLITE_SCHEMA_VERSION];
/* Copies the rows that no document has from the attached database `old`. */
extern const char sqlite_adopt_sql[];

struct sqlite_derived {
	const char *table;
	const char *wrong, *mend; /* SQL: how many rows are wrong; statements that mend them */
};
#define SQLITE_DERIVED 9
#define SQLITE_DERIVED_OF_VIEW 4 /* the first ones, `lists` before those that follow from it */
extern const struct sqlite_derived sqlite_derived[SQLITE_DERIVED];

struct sqlite_query {
	const char *sql;
	bool whole; /* walks a whole table on purpose */
};
extern const struct sqlite_query sqlite_queries[DB_QUERIES];

#endif
